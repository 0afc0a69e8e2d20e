"""How much an episode matters for a task. Sources: RF-007, scenario 13; design.md, "Names that stay put".

    fit = 1 - (1 - similar) * (1 - kind)
    score = fit * (0.75 + 0.15 * recency + 0.10 * outcome)

- similar: the probability that a task and an episode are about the same matter, from their cosine by a logistic curve.
  It was fitted on `tests/data/memories_by_topic.json`, where one pair of twelve is. CLINC150 gives nearly the same
  slope (20.6), for requests worded alike.
- kind: 0.65 for an episode of exactly the task's type, however it is worded; 0.4 for a statement that holds for every
  task (`general_words`), among the user's latest hundred without a type; else 0.
- recency: 1 now, half of it every 30 days. outcome: success 1, failure 0.8, unknown 0.5; failures teach as well.

Under `FLOOR` nothing is returned. That drops most of what is about something else and has no type: its cosine must be
over 0.2, which 5 % of unrelated pairs have and 64 % of related ones. For "Book hotel in London", "Hotel booking -
quality > price" of yesterday has cosine 0.33 and score 0.91.
"""

import string
from functools import cache
from pathlib import Path
from typing import Any

from pgvector import HalfVector

from gateway.contracts import LOCAL_EMBEDDING_MODEL
from gateway.services import texts_embed_locally
from language.word_lists import lines_of
from memory.contracts import EpisodeOutcome

SLOPE, INTERCEPT = 19.82, -5.38
SAME_TYPE, GENERAL = 0.65, 0.4
FLOOR = 0.2
HALF_LIFE_DAYS = 30
STATEMENTS_READ = 100
"""To read a text word by word takes longer than to compare its vector."""
OUTCOME_WEIGHTS = {EpisodeOutcome.SUCCESS: 1.0, EpisodeOutcome.FAILURE: 0.8, EpisodeOutcome.UNKNOWN: 0.5}
STATEMENT_LENGTH = 160
"""Characters of a statement that may hold for every task, such as "User prefers quality over price"."""
_GENERAL_WORDS = Path(__file__).parent / "data" / "general_words.txt"
# Letters without their accents; signs and figures as spaces, which part words.
_SIGNS = string.punctuation + string.digits + "¿¡«»“”‘’–—…€£·\t\r\n"
MARKS, PLAIN = f"áéíóúüñ{_SIGNS}", f"aeiouun{' ' * len(_SIGNS)}"
EMBEDDER = LOCAL_EMBEDDING_MODEL
QUERY_LENGTH = 2_000
# What planning calls a task that no type fits: two of them have nothing in common by that.
UNTYPED = ("", "general")

# Plain SQL: the score is the order. OFFSET 0 keeps the planner from computing each distance once for every use of it;
# floats, for a power of decimals takes as long as all the rest. `<> ALL` of a constant list looks words up in a hash.
SIMILAR = """
SELECT id::text, content, task_type, outcome, metadata, created_at AS timestamp,
       round(similarity::numeric, 4)::float AS similarity, round(weight::numeric, 4)::float AS score
FROM (
    SELECT *, (1 - (1 - coalesce(1 / (1 + exp(-(%(slope)s * similarity + %(intercept)s))), 0)) * (1 - CASE
        WHEN task_type = %(type)s THEN %(same_type)s
        WHEN task_type = '' AND length(content) <= %(length)s AND id IN (
            SELECT id FROM memory_episode WHERE user_id = %(user)s AND task_type = ''
            ORDER BY created_at DESC LIMIT %(statements)s
        ) AND content ~ '[[:alpha:]]' AND NOT EXISTS (
            SELECT FROM unnest(string_to_array(translate(lower(content), %(marks)s, %(plain)s), ' ')) AS word
            WHERE word <> ALL(%(words)s)
        ) THEN %(general)s
        ELSE 0 END)) * (0.75
        + 0.15 * power(0.5::float, greatest(0, extract(epoch FROM %(now)s - created_at)::float) / 86400 / %(half_life)s)
        + 0.10 * CASE outcome WHEN 'success' THEN %(success)s WHEN 'failure' THEN %(failure)s ELSE %(unknown)s END
        ) AS weight
    FROM (
        SELECT id, content, task_type, outcome, metadata, created_at, -(embedding <#> %(vector)s::halfvec) AS similarity
        FROM memory_episode
        WHERE user_id = %(user)s AND embedder = %(embedder)s AND expires_at > %(now)s
              AND (%(types)s::text[] IS NULL OR task_type = ANY(%(types)s::text[]))
        OFFSET 0
    ) AS theirs
    OFFSET 0
) AS scored
WHERE weight >= %(floor)s ORDER BY weight DESC, created_at DESC, scored.id LIMIT %(limit)s
"""


def scoring(task_type: str) -> dict[str, Any]:
    """Parameters of `SIMILAR` for a task of this type, without those that say where to look."""
    return {
        "slope": SLOPE,
        "intercept": INTERCEPT,
        "type": None if task_type in UNTYPED else task_type,
        "same_type": SAME_TYPE,
        "statements": STATEMENTS_READ,
        "length": STATEMENT_LENGTH,
        "marks": MARKS,
        "plain": PLAIN,
        "words": ["", *general_words()],
        "general": GENERAL,
        "half_life": HALF_LIFE_DAYS,
        "floor": FLOOR,
        **{outcome.value: weight for outcome, weight in OUTCOME_WEIGHTS.items()},
    }


@cache
def general_words() -> tuple[str, ...]:
    """The words of statements that hold for every task, as `MARKS` and `PLAIN` leave them, in order, each once."""
    return tuple(dict.fromkeys(word for _number, line in lines_of(_GENERAL_WORDS) for word in line.split()))


def vector_of(text: str) -> HalfVector:
    """The vector of one text, in half precision. It is not kept: what people do is no text that comes back."""
    return HalfVector(texts_embed_locally([text])[0].tolist())


def query_vector(query: str) -> HalfVector | None:
    """The vector of what is looked for, of its first `QUERY_LENGTH` characters; None where it says nothing."""
    text = query[:QUERY_LENGTH].encode(errors="replace").decode().strip("\0 \t\r\n")
    return vector_of(text) if text else None
