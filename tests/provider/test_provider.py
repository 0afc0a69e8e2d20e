"""The provider of the tests, through the client library that the door uses."""

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.request import urlopen

import openai
import pytest

from tests.provider import (
    Behaviour,
    Provider,
    Used,
    cuts,
    fails,
    garbage,
    hangs,
    no_usage,
    overlong,
    says,
    trickles,
    wrong_schema,
    wrong_shape,
)

ASKED: Any = {"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "What is light?"}]}
STREAM: Any = {**ASKED, "stream": True, "stream_options": {"include_usage": True}}
SCHEMA = {
    "type": "object",
    "properties": {"result": {"enum": ["ACCEPT", "REJECT"]}, "score": {"type": "number"}},
    "required": ["result", "score"],
    "additionalProperties": False,
}
STRICT: Any = {"type": "json_schema", "json_schema": {"name": "verdict", "strict": True, "schema": SCHEMA}}


@pytest.fixture
def client(provider: Provider) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=provider.url, api_key="test", max_retries=0, timeout=20) as made:
        yield made


def _text_of(client: openai.OpenAI, **changes: Any) -> str:
    return str(client.chat.completions.create(**{**ASKED, **changes}).choices[0].message.content)


def test_answers_and_says_what_it_used(provider: Provider, client: openai.OpenAI) -> None:
    provider.always(says("Light is energy.", used=Used(prompt=50, completion=30, cached=20, reasoning=10)))
    answer: Any = client.chat.completions.create(**ASKED)
    assert answer.choices[0].message.content == "Light is energy."
    assert (answer.usage.prompt_tokens, answer.usage.prompt_tokens_details.cached_tokens) == (50, 20)
    assert (answer.usage.completion_tokens, answer.usage.completion_tokens_details.reasoning_tokens) == (30, 10)
    provider.wait_idle()  # the client may be done before it
    assert provider.used == Used(50, 30, 20, 10)
    assert provider.bodies == [ASKED]


def test_a_text_may_be_made_of_the_request(provider: Provider, client: openai.OpenAI) -> None:
    provider.always(says(lambda body: f"You asked: {body['messages'][-1]['content']}"))
    assert _text_of(client) == "You asked: What is light?"


def test_a_stream_comes_word_by_word_and_ends_with_usage(provider: Provider, client: openai.OpenAI) -> None:
    provider.always(says("Light  is\nenergy."))
    chunks = list(client.chat.completions.create(**STREAM))
    pieces = [chunk.choices[0].delta.content for chunk in chunks if chunk.choices]
    assert pieces == ["", "Light", "  is", "\nenergy.", None]
    assert [chunk.usage is not None for chunk in chunks] == [False] * 5 + [True]


def test_a_schema_is_kept_unless_told_otherwise(provider: Provider, client: openai.OpenAI) -> None:
    assert json.loads(_text_of(client, response_format=STRICT)) == {"result": "ACCEPT", "score": 1}
    provider.next(wrong_schema())
    assert json.loads(_text_of(client, response_format=STRICT)) == {"unexpected": [True]}


def test_a_strict_schema_that_openai_would_refuse_is_refused(provider: Provider, client: openai.OpenAI) -> None:
    loose = {**SCHEMA, "additionalProperties": True}
    with pytest.raises(openai.BadRequestError, match="additionalProperties"):
        _text_of(client, response_format={**STRICT, "json_schema": {**STRICT["json_schema"], "schema": loose}})


@pytest.mark.parametrize("encoding", ["float", "base64"])
def test_embeddings_are_the_same_in_both_encodings(provider: Provider, client: openai.OpenAI, encoding: Any) -> None:
    texts = ["plants use light", "plants use light", "a volcano"]
    asked: Any = {"model": "text-embedding-3-small", "input": texts, "dimensions": 8}
    answer = client.embeddings.create(**asked, encoding_format=encoding)
    vectors = [one.embedding for one in answer.data]
    if encoding == "base64":
        vectors = [one.embedding for one in client.embeddings.create(**asked).data]  # the library unpacks its own wish
        assert [one["encoding_format"] for one in provider.bodies] == ["base64", "base64"]
    assert [len(vector) for vector in vectors] == [8, 8, 8]
    assert vectors[0] == vectors[1] != vectors[2]
    assert sum(value * value for value in vectors[0]) == pytest.approx(1, abs=1e-5)
    assert answer.usage.prompt_tokens == 4 + 4 + 3


def test_next_comes_before_always_and_a_models_own_before_all(provider: Provider, client: openai.OpenAI) -> None:
    provider.always(says("all"))
    provider.always(says("thinker"), model="o3-mini")
    provider.next(says("first"), says("second"))
    provider.next(says("thinker first"), model="o3-mini")
    assert _text_of(client, model="o3-mini") == "thinker first"
    assert [_text_of(client) for _ in range(3)] == ["first", "second", "all"]
    assert _text_of(client, model="o3-mini") == "thinker"


@pytest.mark.parametrize(
    ("behaviour", "error"),
    [
        (fails(429, retry_after=2), openai.RateLimitError),
        (fails(500), openai.InternalServerError),
        (fails(503), openai.InternalServerError),
        (cuts(), openai.APIConnectionError),
        (garbage(), ValueError),
    ],
)
def test_failures_arrive_as_failures(
    provider: Provider, client: openai.OpenAI, behaviour: Behaviour, error: type[Exception]
) -> None:
    provider.next(behaviour)
    with pytest.raises(error) as found:
        client.chat.completions.create(**ASKED)
    if behaviour.retry_after:
        assert isinstance(found.value, openai.RateLimitError)
        assert found.value.response.headers["Retry-After"] == "2"
    assert _text_of(client)  # and the next is well again


def test_answers_of_the_wrong_shape_and_without_usage(provider: Provider, client: openai.OpenAI) -> None:
    provider.next(wrong_shape(), no_usage("Yes."))
    assert client.chat.completions.create(**ASKED).choices == "none"
    answer = client.chat.completions.create(**ASKED)
    assert answer.choices[0].message.content == "Yes."
    assert answer.usage is None


def test_more_comes_than_was_asked_for(provider: Provider, client: openai.OpenAI) -> None:
    provider.next(says("x" * 100), overlong(4))
    kept, over = (client.chat.completions.create(**ASKED, max_completion_tokens=10) for _ in range(2))
    assert (kept.usage and kept.usage.completion_tokens, kept.choices[0].finish_reason) == (10, "length")
    assert over.usage is not None
    assert over.usage.completion_tokens == 40


def test_a_cut_stream_ends_in_the_middle(provider: Provider, client: openai.OpenAI) -> None:
    provider.next(cuts(after=3, text="one two three four"))
    stream = iter(client.chat.completions.create(**STREAM))
    assert [next(stream).choices[0].delta.content for _ in range(3)] == ["", "one", " two"]
    with pytest.raises(openai.APIConnectionError):
        next(stream)
    assert provider.calls[0].state == "cut"


def test_what_hangs_is_seen_and_released(provider: Provider, client: openai.OpenAI) -> None:
    provider.always(hangs(text="At last."))
    with ThreadPoolExecutor(3) as threads:
        waiting = [threads.submit(_text_of, client) for _ in range(3)]
        provider.wait_calls(3)
        assert provider.in_flight == 3
        provider.release()
        assert [one.result() for one in waiting] == ["At last."] * 3
    provider.wait_idle()
    assert provider.in_flight == 0


@pytest.mark.parametrize("behaviour", [hangs(), trickles(), hangs(after=2)])
def test_a_client_that_goes_is_noticed(provider: Provider, client: openai.OpenAI, behaviour: Behaviour) -> None:
    provider.next(behaviour)
    stream: Any = client.with_options(timeout=0.3).chat.completions.create
    if behaviour.trickle is None:
        with pytest.raises(openai.APITimeoutError):
            list(stream(**STREAM))
    else:  # no single read takes long
        stream(**STREAM).close()
    provider.wait_gone()
    assert provider.calls[0].state == "gone"


def test_who_still_waits_when_it_ends_learns_so_at_once() -> None:
    with ThreadPoolExecutor(1) as threads:
        with Provider() as ending:
            ending.always(hangs())
            waiting = threads.submit(_text_of, openai.OpenAI(base_url=ending.url, api_key="test", max_retries=0))
            ending.wait_calls(1)
        with pytest.raises(openai.APIConnectionError):
            waiting.result(timeout=10)


def test_runs_as_a_process_of_its_own() -> None:
    command = [sys.executable, "-m", "tests.provider", "--delay", "0.01", "--reply", '{"result":"ACCEPT"}']
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            with openai.OpenAI(base_url=url, api_key="test") as client:
                assert _text_of(client) == '{"result":"ACCEPT"}'
            with urlopen(url.removesuffix("v1")) as counted:
                assert json.load(counted)["calls"] == 1
        finally:
            process.terminate()
    assert process.returncode == 0
