import { expect, it } from 'vitest';
import { html, jsonElement, toCssString, toHtml } from '../../cli/output/html.ts';

it('escapes inserted text, and keeps inserted markup', () => {
  const inner = html`<b>${'<i>"\'`&'}</b>`;

  expect(toHtml(html`<p title="${'"x'}">${[inner, null, 1]}</p>`)).toBe(
    '<p title="&quot;x"><b>&lt;i&gt;&quot;&#39;&#96;&amp;</b>1</p>',
  );
});

it('takes no object of an answer for markup', () => {
  const answer = JSON.parse('{"markup": "<script>", "written": "<script>"}');

  expect(toHtml(html`${answer}`)).not.toContain('<script>');
});

it('shows hidden characters, and keeps line breaks', () => {
  expect(toHtml(html`${'a\u202eb\r\nc\u0000\ud800'}`)).toBe(
    'a&lt;U+202E&gt;b\nc&lt;U+0000&gt;\ufffd',
  );
});

it('writes JSON that cannot end its element', () => {
  const value = { text: '</script><!--<script>&\u2028' };

  const element = toHtml(jsonElement('data', value));

  const [, json = ''] =
    /^<script type="application\/json" id="data">(.*)<\/script>$/.exec(element) ?? [];
  expect(json).not.toMatch(/[<>&\u2028]/);
  expect(JSON.parse(json)).toEqual(value);
});

it('escapes each character of a string of CSS', () => {
  expect(toCssString('"}</')).toBe('"\\22 \\7d \\3c \\2f "');
});
