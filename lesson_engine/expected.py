"""The expected answer of an ASK in words. Shown only once the ASK is closed (design.md, "A turn")."""

from lesson_engine.contracts import Ask


def expected_answer(ask: Ask) -> str:
    """The model answer as Markdown."""
    answer = ask.answer
    match answer.kind:
        case "open" | "definition":
            return answer.accepted[0]
        case "list":
            return "\n".join(f"- {item[0]}" for item in answer.items)
        case "procedure":
            return "\n".join(f"{number}. {step[0]}" for number, step in enumerate(answer.steps, start=1))
        case "numeric":
            return f"{answer.value} {answer.unit or ''}".strip()
        case "choice" | "multi_choice":
            return "\n".join(f"- {choice.text}" for choice in answer.choices if choice.correct)
