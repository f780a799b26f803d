import { bundle } from './bundle.ts';

/** Nothing comes from elsewhere, nothing runs but the program, and nothing is asked but this registry. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const [program, ...further] = bundle.scripts;

/** What is seen until the program has come: the frame, so that nothing moves then. */
const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Package registry</title>
<link rel="icon" href="data:,">
${bundle.styles.map((name) => `<link rel="stylesheet" href="%FILES%/${name}">`).join('\n')}
<script type="module" src="%FILES%/${program}"></script>
${further.map((name) => `<link rel="modulepreload" href="%FILES%/${name}">`).join('\n')}
</head>
<body>
<div id="console">
<header class="frame-bar"><span class="frame-name">registry</span></header>
<main class="frame-main"><p class="waiting" role="status">Loading …</p></main>
</div>
<noscript>The console needs JavaScript. The command line and the API do without.</noscript>
</body>
</html>
`;

/** The page of the console, and the policy under which a browser shows it. `%FILES%` stands for where its files are. */
export default { html, policy };
