"""Makes `lesson_engine/grading/data/words-<language>.json`: the words that a language knows, as they are spelt.

python -m pip install wordfreq
python -m benchmarks.known_words
"""

import json
from collections import defaultdict
from pathlib import Path

import wordfreq

from lesson_engine.grading.meaning.spelling import bare

DATA = Path(__file__).parents[1] / "lesson_engine/grading/data"
MOST, LEAST, STEP = 60_000, 2.6, 0.2
SOURCE = (
    "wordfreq 3.1 (Robyn Speer), data CC BY-SA 4.0: words of Zipf frequency {least} and over, the commonest spelling of"
    " each, in steps of {step}"
)


def main() -> None:
    for language in ("en", "es"):
        words: dict[str, list[str]] = defaultdict(list)
        seen: set[str] = set()
        for word in wordfreq.top_n_list(language, MOST):  # the commonest first
            zipf = wordfreq.zipf_frequency(word, language)
            if word.isalpha() and zipf >= LEAST and bare(word) not in seen:
                seen.add(bare(word))
                words[f"{STEP * int(zipf / STEP + 1e-6):.1f}"].append(word)
        told = {
            "source": SOURCE.format(least=LEAST, step=STEP),
            "words": {key: " ".join(words[key]) for key in sorted(words)},
        }
        path = DATA / f"words-{language}.json"
        path.write_text(json.dumps(told, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
        print(language, len(seen), path.stat().st_size)


if __name__ == "__main__":
    main()
