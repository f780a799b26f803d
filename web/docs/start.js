/* global SwaggerUIBundle */

/** The viewer has a dark face, but leaves it to the page to say when. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const followTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followTheme);
followTheme();

SwaggerUIBundle({
  // Beside this page, whatever the stage or the custom domain puts before both.
  url: location.pathname.replace(/\/docs\/?$/, '/openapi.json'),
  dom_id: '#docs',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  docExpansion: 'list',
  requestSnippetsEnabled: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
