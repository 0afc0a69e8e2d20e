"""What must not happen on any page: errors in the console, violations of the policy, requests to elsewhere."""

from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError

REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  window.reportViolation(`${event.effectiveDirective} ${event.blockedURI} ${event.sample} at ${document.location}`));
"""


class Watch:
    """The faults of one browser context, and the paths it asked for."""

    def __init__(self, context: BrowserContext, expects: tuple[str, ...]) -> None:
        self.context, self.expects = context, expects
        self.faults: list[str] = []
        self.requests: list[str] = []
        context.expose_function("reportViolation", lambda text: self.faults.append(f"policy violated: {text}"))
        context.add_init_script(REPORT_VIOLATIONS)
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("request", self._request)

    def unexpected(self) -> list[str]:
        return [fault for fault in self.faults if not any(part in fault for part in self.expects)]

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.faults.append(f"console: {message.text} ({message.location.get('url')})")

    def _error(self, error: WebError) -> None:
        self.faults.append(f"script: {error.error}")

    def _request(self, request: Request) -> None:
        address = urlsplit(request.url)
        self.requests.append(f"{request.method} {address.path}")
        if address.scheme.startswith("http") and address.hostname != "127.0.0.1":
            self.faults.append(f"asked elsewhere: {request.url}")
