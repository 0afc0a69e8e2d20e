// Starts the console of the API's description in its place on the page.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const place = document.getElementById("api-console");
  if (!place || !window.SwaggerUIBundle) return;
  window.SwaggerUIBundle({
    url: place.dataset.schema,
    domNode: place,
    presets: [window.SwaggerUIBundle.presets.apis],
    layout: "BaseLayout",
    deepLinking: true,
    validatorUrl: null,
    tryItOutEnabled: true,
    persistAuthorization: false,
    requestInterceptor: (request) => {
      const csrf = place.dataset.csrf;
      if (csrf && !["GET", "HEAD", undefined].includes(request.method)) request.headers["X-CSRFToken"] = csrf;
      return request;
    },
  });
});
