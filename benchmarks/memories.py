"""`python -m benchmarks.memories`: what it takes to find a user's experience among a million memories."""

import argparse
import os
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from statistics import quantiles
from typing import Any

from benchmarks.own_place import filling, own_place
from config.launcher import prepare

TARGET_MS = 100  # RT-009, retrieve_experience
TYPES = ("hotel_booking", "flight_booking", "restaurant_search", "shopping", "study", "")
_ABOUT = """
{stored:,} memories of {users} users, {each:,} each, written in turns, so that those of one user lie apart; random
vectors, contents of 30 to 600 characters, six task types, ten weeks. Table and indexes take {size} ({made:.0f} s to
make, with a vacuum). Each time is that of `MemoryManager.retrieve` with a query that was not embedded before and the
user by name: the embedding, the statement that finds the user, and the exact scan. "another user each time": each
user once, whose rows are in no shared buffer ({buffers} of them). Target: {target} ms.
"""
_HEADER = f"{'':<58} {'p50 ms':>7} {'p95 ms':>7} {'worst':>7} {'found':>6}"

# A vector is made once and used a hundred times: making them takes long, and a scan reads each row all the same.
_VECTORS = """
CREATE UNLOGGED TABLE bench_vector AS
SELECT n, l2_normalize(made::real[]::halfvec) AS vector FROM generate_series(0, %(vectors)s - 1) AS n
CROSS JOIN LATERAL (SELECT array_agg(random() - 0.5) AS made FROM generate_series(1, 512 + 0 * n)) AS one
"""
_EPISODES = """
INSERT INTO memory_episode
    (id, user_id, task_type, content, outcome, metadata, source, embedder, embedding, bytes, created_at, expires_at)
SELECT gen_random_uuid(), (%(users)s::bigint[])[numbers.n %% %(count)s + 1],
       (%(types)s::text[])[numbers.n / %(count)s %% %(kinds)s + 1],
       left(repeat(md5(numbers.n::text) || ' ', 18), 30 + (random() * 570)::int),
       (ARRAY['success', 'failure', 'unknown'])[numbers.n %% 3 + 1], '{}', 'bench:' || numbers.n, %(embedder)s, vector,
       1500, written, written + interval '90 days'
FROM (SELECT n, now() - interval '10 weeks' * (1 - n::float / %(stored)s) AS written
      FROM generate_series(0, %(stored)s - 1) AS n ORDER BY n) AS numbers
JOIN bench_vector ON bench_vector.n = numbers.n %% %(vectors)s
"""
_ROOMS = """
INSERT INTO memory_memoryroom (user_id, episodes, bytes)
SELECT user_id, count(*), sum(bytes) FROM memory_episode GROUP BY user_id
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memories", description=__doc__)
    parser.add_argument("--each", type=int, default=5_000, help="memories of one user")
    parser.add_argument("--users", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=200, help="requests of each kind")
    options = parser.parse_args()
    with own_place():
        _measure(options)


def _measure(options: argparse.Namespace) -> None:
    prepare.prepare()
    from gateway.services import texts_embed_locally

    texts_embed_locally(["the first one loads the model"])
    print(f"\nLoad of the machine before: {os.getloadavg()[0]:.1f}", flush=True)
    began = time.monotonic()
    names = _fill(options.users, options.each)
    with filling() as cursor:
        cursor.execute("VACUUM (ANALYZE) memory_episode")
        took = time.monotonic() - began
        cursor.execute(
            "SELECT pg_size_pretty(pg_total_relation_size('memory_episode')), current_setting('shared_buffers')"
        )
        size, buffers = cursor.fetchone() or ("", "")
    stored = options.users * options.each
    print(_ABOUT.format(stored=stored, size=size, made=took, buffers=buffers, target=TARGET_MS, **vars(options)))
    print(_HEADER)
    for whom, people in (("another user each time", names), ("the same user", names[:1])):
        for filters, of in (({}, "all types"), ({"task_type": "hotel_booking"}, "one type and none")):
            _row(f"{whom}, {of}", people, filters, options.rounds)
    _use_row(options.rounds, names)


def _fill(users: int, each: int) -> list[str]:
    """The users' names."""
    from accounts.models import User
    from memory.texts.scoring import EMBEDDER

    people = User.objects.bulk_create(User(username=f"bench-{number}", password="!") for number in range(users))
    parameters: dict[str, Any] = {
        "users": [person.pk for person in people],
        "count": users,
        "types": list(TYPES),
        "kinds": len(TYPES),
        "embedder": EMBEDDER,
        "stored": users * each,
        "vectors": max(1, users * each // 100),
    }
    with filling() as cursor:
        cursor.execute(_VECTORS, parameters)
        cursor.execute("CREATE UNIQUE INDEX ON bench_vector (n)")
        cursor.execute("ANALYZE bench_vector")
        cursor.execute(_EPISODES, parameters)
        cursor.execute(_ROOMS)
    return [person.username for person in people]


def _row(name: str, people: Sequence[str], filters: dict[str, str], rounds: int) -> None:
    from memory.manager import MemoryManager

    memory, found = MemoryManager(), 0
    times = []
    for number, person in enumerate(islice(cycle(people), rounds)):
        began = time.perf_counter()
        found += len(memory.retrieve(f"Book hotel number {number} in {name}", user_id=person, filters=filters))
        times.append(1000 * (time.perf_counter() - began))
    _print(name, times, found / rounds)


def _use_row(rounds: int, people: Sequence[str]) -> None:
    """How long it takes to store one beside a million."""
    from accounts.models import User
    from memory.services import episode_store, episodes_forget

    person = User.objects.get(username=people[-1])
    episodes_forget(user=person)
    numbers = iter(range(rounds))

    def store() -> None:
        number = next(numbers)
        episode_store(person, f"Booked hotel number {number}", "hotel_booking", "success", source=f"stored:{number}")

    _print("store one", list(_timed(store, rounds)), 0)


def _timed(work: Callable[[], None], rounds: int) -> Iterator[float]:
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        yield 1000 * (time.perf_counter() - began)


def _print(name: str, times: Sequence[float], found: float) -> None:
    cuts = quantiles(times, n=20)
    print(f"{name:<58} {cuts[9]:>7.1f} {cuts[18]:>7.1f} {max(times):>7.1f} {found:>6.1f}", flush=True)


if __name__ == "__main__":
    main()
