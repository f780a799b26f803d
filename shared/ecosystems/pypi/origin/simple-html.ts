import { Parser } from 'htmlparser2';
import type { JsonObject } from '../../../util/json.ts';
import { UpstreamError } from '../../../util/outbound-http/upstream-error.ts';
import { longestFileName } from '../file-name.ts';

/** Maximum nesting of elements. Indexes need a few levels, and the parser gets slower with depth. */
const deepest = 100;
/** Maximum length of a link's text: a file name with spaces around it is shorter. */
const longestText = 2 * longestFileName;
/** Maximum length of the base URL, because each link is resolved against it. */
const longestBase = 1_000;

/** Returns the hash in `sha256=…`, from a URL's fragment or an attribute; empty if the text has none. */
const readHash = (text: string | undefined): Record<string, string> => {
  const [, name, value] = /^#?([a-z0-9_]+)=([0-9a-f]+)$/i.exec(text ?? '') ?? [];
  return name && value ? { [name]: value } : {};
};

/** Returns the `core-metadata` field: true, or a hash; an empty object without the attribute. */
const readCoreMetadata = (attributes: Readonly<Record<string, string>>): JsonObject => {
  const metadata = attributes['data-core-metadata'] ?? attributes['data-dist-info-metadata'];
  if (metadata === undefined) return {};
  const hash = readHash(metadata);
  return { 'core-metadata': Object.keys(hash).length > 0 ? hash : metadata === 'true' };
};

const readBase = (href: string | undefined): string | undefined =>
  href !== undefined && href.length <= longestBase ? href : undefined;

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
    // An empty attribute means yanked without a reason.
    yanked: attributes['data-yanked'] === '' ? true : attributes['data-yanked'],
    ...readCoreMetadata(attributes),
    ...(provenance !== undefined && { provenance }),
  };
};

/**
 * Returns an HTML page of the Simple API (PEP 503, 592, 658, 740 and 792) in the form of PEP 691. Undefined if the text
 * is no HTML page. `host` names the upstream in errors.
 * @throws {UpstreamError} if the elements nest too deep to parse in time
 */
export const readSimpleHtml = (html: string, host: string): JsonObject | undefined => {
  if (!/<(?:!doctype|html|body|a)\b/i.test(html)) return undefined;
  const entries: JsonObject[] = [];
  const notes = new Map<string | undefined, string | undefined>();
  let base: string | undefined;
  let depth = 0;
  let link: { attributes: Readonly<Record<string, string>>; text: string } | undefined;
  const parser = new Parser({
    onopentag: (tag, attributes) => {
      depth += 1;
      if (depth > deepest) {
        throw new UpstreamError(
          `${host} answered with a page that nests more than ${deepest} elements`,
        );
      }
      if (tag === 'meta') notes.set(attributes['name'], attributes['content']);
      if (tag === 'base') base ??= readBase(attributes['href']);
      if (tag === 'a') link = { attributes, text: '' };
    },
    ontext: (text) => {
      if (link && link.text.length <= longestText) link.text += text;
    },
    onclosetag: (tag) => {
      depth -= 1;
      if (tag !== 'a' || !link) return;
      const filename = link.text.trim();
      if (filename.length <= longestFileName)
        entries.push(toEntry(link.attributes, filename, base));
      link = undefined;
    },
  });
  parser.end(html);
  const status = notes.get('pypi:project-status');
  const reason = notes.get('pypi:project-status-reason');
  return { files: entries, 'project-status': { status, reason } };
};
