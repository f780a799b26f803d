import { Parser } from 'htmlparser2';
import type { JsonObject } from '../../domain/json.ts';

/** `sha256=…`, behind an address or as an attribute. */
const readHash = (text: string | undefined): Record<string, string> => {
  const [, name, value] = /^#?([a-z0-9_]+)=([0-9a-f]+)$/i.exec(text ?? '') ?? [];
  return name && value ? { [name]: value } : {};
};

/** `true`, or a hash. */
const readCoreMetadata = (attributes: Readonly<Record<string, string>>): JsonObject => {
  const told = attributes['data-core-metadata'] ?? attributes['data-dist-info-metadata'];
  if (told === undefined) return {};
  const hash = readHash(told);
  return { 'core-metadata': Object.keys(hash).length > 0 ? hash : told === 'true' };
};

const toEntry = (
  attributes: Readonly<Record<string, string>>,
  filename: string,
  base: string | undefined,
): JsonObject => {
  const { href = '' } = attributes;
  const [address = '', fragment] = href.split('#', 2);
  const provenance = attributes['data-provenance'];
  return {
    filename,
    url: base === undefined ? address : (URL.parse(address, base)?.href ?? address),
    hashes: readHash(fragment),
    'requires-python': attributes['data-requires-python'],
    // Without a reason, that it is there says it.
    yanked: attributes['data-yanked'] === '' ? true : attributes['data-yanked'],
    ...readCoreMetadata(attributes),
    ...(provenance !== undefined && { provenance }),
  };
};

/**
 * A page of the Simple API in HTML (PEP 503, with what PEP 592, 658, 740 and 792 add) in the form of PEP 691. Undefined if
 * the text is no page.
 */
export const readSimpleHtml = (html: string): JsonObject | undefined => {
  if (!/<(?:!doctype|html|body|a)\b/i.test(html)) return undefined;
  const entries: JsonObject[] = [];
  const notes = new Map<string | undefined, string | undefined>();
  let base: string | undefined;
  let link: { attributes: Readonly<Record<string, string>>; text: string } | undefined;
  const parser = new Parser({
    onopentag: (tag, attributes) => {
      if (tag === 'meta') notes.set(attributes['name'], attributes['content']);
      if (tag === 'base') base ??= attributes['href'];
      if (tag === 'a') link = { attributes, text: '' };
    },
    ontext: (text) => {
      if (link) link.text += text;
    },
    onclosetag: (tag) => {
      if (tag !== 'a' || !link) return;
      entries.push(toEntry(link.attributes, link.text.trim(), base));
      link = undefined;
    },
  });
  parser.end(html);
  const status = notes.get('pypi:project-status');
  const reason = notes.get('pypi:project-status-reason');
  return { files: entries, 'project-status': { status, reason } };
};
