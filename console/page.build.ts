import { bundle } from './bundle.ts';

/** The Content-Security-Policy. It allows scripts and styles of this registry alone. `%ORIGINS%` adds origins for requests. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'%ORIGINS%",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const [mainScript, ...preloaded] = bundle.scripts;

/** The page before its script runs. It has the header of the console already, so that nothing moves later. */
const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Package registry</title>
<link rel="icon" href="data:,">
${bundle.styles.map((name) => `<link rel="stylesheet" href="%FILES%/${name}">`).join('\n')}
<script type="module" src="%FILES%/${mainScript}"></script>
${preloaded.map((name) => `<link rel="modulepreload" href="%FILES%/${name}">`).join('\n')}
</head>
<body>
<div id="console">
<header class="frame-bar"><span class="frame-name">registry</span></header>
<main class="frame-main"><p class="waiting" role="status">Loading …</p></main>
</div>
<noscript>The console needs JavaScript. Without JavaScript, use the command line or the API.</noscript>
</body>
</html>
`;

/** The page of the console, and its Content-Security-Policy. `%FILES%` is replaced with the URL of the files, `%ORIGINS%` with more origins. */
export default { html, policy };
