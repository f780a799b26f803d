import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

const viewer = {
  script: readFileSync(require.resolve('swagger-ui-dist/swagger-ui-bundle.js'), 'utf8'),
  style: readFileSync(require.resolve('swagger-ui-dist/swagger-ui.css'), 'utf8'),
  /** What its licenses ask to go along. */
  notices: [
    readFileSync(require.resolve('swagger-ui-dist/NOTICE'), 'utf8'),
    readFileSync(require.resolve('swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt'), 'utf8'),
  ],
};

const readOwn = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8');

/** A browser would take this for the end of the element. */
const refuseEnd = (text: string, element: string): string => {
  if (text.toLowerCase().includes(`</${element}`)) throw new Error(`It ends its own ${element}`);
  return text;
};

const script = refuseEnd(`${viewer.script}\n${readOwn('start.js')}`, 'script');
const style = refuseEnd(`${viewer.style}\n${readOwn('style.css')}`, 'style');

const hash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page loads nothing from other hosts, runs only this script, and sends requests to this registry only. */
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const html = `<!doctype html>
<!--
${viewer.notices.join('\n').replaceAll('--', '- -')}
-->
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Package registry: the API</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="docs"><noscript>This page needs JavaScript. The same is in openapi.json, for programs.</noscript></div>
<script>${script}</script>
</body>
</html>
`;

/** The reference of the API in one file, and the policy under which a browser shows it. */
export default { html, policy };
