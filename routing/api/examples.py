"""What the API of the consult answers, for its document."""

from typing import Any

MESSAGE = "¿Es buen momento para solicitar excedencia en CGI?"
_PLAN_ID = "5b556c15-046a-49b5-aa24-8cecf7be10ac"
_CORRECTED_ID = "c7f6a1a2-3a55-4c70-a3bb-7c2a2b9f1d20"
_ENTRY_ID = "29911b37-1aeb-4d19-84a8-29a1d961f238"
_CORRELATION_ID = "0c394530-1fe6-480f-91f3-9fa7c77f60a7"
_PACK_DIGEST = "fac77205f2d57b0c69799b40e26c13e0c63dd33d33c26dc6397cf9edbdc1a5ed"
_ROUTER = "andamio-router-1"
_NEAREST = "¿Toca ya pedir la excedencia en mi consultora o todavía es demasiado pronto?"
_PLAN: dict[str, Any] = {
    "mode": "deep",
    "domain_hint": "auto",
    "domains_selected": ["transition", "market"],
    "agents_selected": [],
    "needs_evidence": False,
    "needs_skills": False,
    "lab_policy": {"allow_lab": False, "status": "denied", "rationale": "Fase 1: sin funciones experimentales"},
    "rationale": (
        "Tu pregunta trata de «Transición»: La persona cambia de puesto o de carrera.\n"
        'Palabras que lo indican: "excedencia".\n'
        f"Se parece a este ejemplo: «{_NEAREST}».\n"
        "También se incluye, porque estas decisiones se miran junto con ello: «Mercado»."
    ),
    "confidence": "high",
    "flags": [],
    "timestamp": "2026-01-31T12:00:00.630293Z",
}
ITEM_EXAMPLE: dict[str, Any] = {
    "id": _PLAN_ID,
    "correlation_id": _CORRELATION_ID,
    "excerpt": MESSAGE,
    "language": "es",
    "mode": "deep",
    "domain_hint": "auto",
    "domains": ["transition", "market"],
    "confidence": "high",
    "probability": 0.9376,
    "flags": [],
    "corrects": None,
    "corrected_by": None,
    "created_at": "2026-01-31T12:00:00.635121Z",
}
EXAMPLE: dict[str, Any] = {
    **ITEM_EXAMPLE,
    "message": MESSAGE,
    "plan": _PLAN,
    "reading": {
        "shares": [
            {"domain": "transition", "share": 0.9979},
            {"domain": "tax", "share": 0.0007},
            {"domain": "lab", "share": 0.0006},
            {"domain": "market", "share": 0.0004},
            {"domain": "growth", "share": 0.0004},
            {"domain": "system", "share": 0.0},
            {"domain": "brand", "share": 0.0},
        ],
        "in_scope": 0.9958,
        "margin": 0.9972,
        "agree": True,
        "keywords": [{"domain": "transition", "keyword": "excedencia"}],
        "nearest": [{"domain": "transition", "label": "leaving", "text": _NEAREST, "similarity": 0.6153}],
    },
    "versions": {
        "schema": "query-plan/1",
        "router": _ROUTER,
        "pack": "anclora@1.0.0",
        "pack_digest": _PACK_DIGEST,
        "phase": 2,
    },
    "model": None,
    "audit_entry_id": _ENTRY_ID,
}
# Of a correction to "tax".
CORRECTION_EXAMPLE: dict[str, Any] = {
    **EXAMPLE,
    "id": _CORRECTED_ID,
    "domain_hint": "tax",
    "domains": ["tax"],
    "confidence": "low",
    "probability": 0.1733,
    "flags": ["needs-clarification"],
    "corrects": _PLAN_ID,
    "created_at": "2026-01-31T12:05:00.635121Z",
    "plan": {
        **_PLAN,
        "domain_hint": "tax",
        "domains_selected": ["tax"],
        "rationale": (
            "No queda claro de qué trata tu pregunta. El dominio más cercano es «Fiscalidad y legal».\n"
            "Dijiste que trata de «Fiscalidad y legal», y el plan lo respeta.\n"
            "Pregunta con otras palabras o cuenta algo más, y el plan será más seguro."
        ),
        "confidence": "low",
        "flags": ["needs-clarification"],
        "timestamp": "2026-01-31T12:05:00.630293Z",
    },
    "audit_entry_id": "3fb0f7a3-9d0a-4c39-8f5e-4f0f7b1f5d11",
}
ENTRY_EXAMPLE: dict[str, Any] = {
    "query_plan_id": _PLAN_ID,
    "timestamp": "2026-01-31T12:00:00.635Z",
    "user_id": "17",
    "message": MESSAGE,
    "query_plan": _PLAN,
    "status": "success",
    "entry_id": _ENTRY_ID,
    "correlation_id": _CORRELATION_ID,
    "message_digest": "b6e2dbee3b60412646ee718c93adc882468c48b040c7cf81af0bec7b8dd49028",
    "governor_decision_id": None,
    "governor_decision": None,
    "synthesizer_output_id": None,
    "synthesizer_output": None,
    "versions": {
        "schema": "query-plan/1",
        "router": _ROUTER,
        "pack": "anclora@1.0.0",
        "pack_digest": _PACK_DIGEST,
        "phase": 2,
        "strategic_mode": None,
        "row": "5d0f5c0f6d5b0c8e7f3a9b2e4c61d87a90be3f12c4a5d6e7f8091a2b3c4d5e6f",
    },
    "error_message": "",
    "warnings": [],
    "model_used": "",
    "stored_at": "2026-01-31T12:00:00.643Z",
    "retention_days": 3650,
    "chain": "consult:17",
    "seq": 1,
    "previous_hash": "8099080b9eda187d29b63278e13876a3bc7d4dc220c223a6a8b679d6a53af2e4",
    "checksum": "a43722cd04337b5278dd3a4a02a7cd0a98a4aa3d78242fc797a23b30eca86420",
    "key_id": "f72b6d05e5c43911",
    "signature": "2a49f2db4c009f8717b9547ca6d06127da8efc7b0d6349013df8f49f78dce050",
}
VERIFICATION_EXAMPLE: dict[str, Any] = {
    "entry_id": _ENTRY_ID,
    "seq": 1,
    "holds": True,
    "chain": "consult:17",
    "chain_whole": False,
    "entries": 2,
    "fault": {
        "kind": "altered",
        "seq": 2,
        "entry_id": "3fb0f7a3-9d0a-4c39-8f5e-4f0f7b1f5d11",
        "detail": "its content was altered: it does not match its hash",
    },
    "verified_at": "2026-01-31T12:00:10.120000Z",
    "verified_entries": 1,
}
