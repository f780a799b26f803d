import { dropOversized, takeFitting } from '../../../domain/answer-size.ts';
import type { PypiFile } from '../../../domain/facts/manifest.ts';
import { canonicalizeName } from '../../../domain/packages/package-name.ts';
import type { ServedVersion } from '../../gate/approved.ts';

type Served = ServedVersion<'pypi'>;

/** True if installers can verify a file by its SHA-256, and its name can be part of a URL's path. */
export const isPinned = ({ filename, hashes }: PypiFile): boolean =>
  Boolean(hashes['sha256']) && !filename.includes('/');

/** Returns the `core-metadata` field if it has a SHA-256. Otherwise installers read the metadata from the file. */
const pinMetadata = (metadata: PypiFile['core-metadata']) => {
  const sha256 = typeof metadata === 'object' ? metadata['sha256'] : undefined;
  return sha256 ? { 'core-metadata': { sha256 } } : {};
};

const toServed = ({ 'core-metadata': metadata, ...file }: PypiFile, url: string): PypiFile => ({
  ...file,
  url,
  ...pinMetadata(metadata),
});

/** Approved files of a project, in the JSON format of the Simple API (PEP 691, 700 and 740). */
export interface Project {
  readonly meta: { readonly 'api-version': '1.3' };
  readonly name: string;
  readonly versions: readonly string[];
  readonly files: readonly PypiFile[];
}

/** Maximum size of a project in bytes of JSON. The HTML of some projects is slightly larger. */
const maxProjectBytes = 4_000_000;

/**
 * Returns the files of a project's approved versions, with URLs of the gate. If the versions exceed the size limit, the
 * project has the first ones that fit.
 * @param base URL of the gate, without a trailing slash
 */
export const makeProject = (name: string, versions: readonly Served[], base: string): Project => {
  const canonical = canonicalizeName('pypi', name);
  const toUrl = (version: string, filename: string): string =>
    `${base}/files/${[canonical, version, filename].map(encodeURIComponent).join('/')}`;
  const made = versions.map(({ version, manifest }) => ({
    version,
    files: manifest.files
      .filter(isPinned)
      .map((file) => toServed(file, toUrl(version, file.filename))),
  }));
  const fitting = takeFitting(
    dropOversized(made, maxProjectBytes).filter(({ files }) => files.length > 0),
    maxProjectBytes,
  );
  return {
    meta: { 'api-version': '1.3' },
    name: canonical,
    versions: fitting.map(({ version }) => version),
    files: fitting.flatMap(({ files }) => files),
  };
};

const marks: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (mark) => marks[mark] ?? '');

const formatAttribute = (name: string, value: string | undefined): string =>
  value === undefined ? '' : ` ${name}="${escapeHtml(value)}"`;

const formatYanked = (yanked: PypiFile['yanked']): string | undefined => {
  if (yanked === undefined || yanked === false) return undefined;
  return yanked === true ? '' : yanked;
};

const formatMetadata = (metadata: PypiFile['core-metadata']): string | undefined =>
  typeof metadata === 'object' ? `sha256=${metadata['sha256']}` : undefined;

const formatFile = (file: PypiFile): string => {
  const { url, filename, hashes } = file;
  const attributes = [
    formatAttribute('data-requires-python', file['requires-python']),
    formatAttribute('data-yanked', formatYanked(file.yanked)),
    formatAttribute('data-core-metadata', formatMetadata(file['core-metadata'])),
    // The name before PEP 714, for older installers.
    formatAttribute('data-dist-info-metadata', formatMetadata(file['core-metadata'])),
    formatAttribute('data-provenance', file.provenance),
  ].join('');
  const address = escapeHtml(`${url}#sha256=${hashes['sha256']}`);
  return `    <a href="${address}"${attributes}>${escapeHtml(filename)}</a><br>`;
};

/** Returns a project as an HTML page of the Simple API (PEP 503 and 740). */
export const formatProject = ({ name, files }: Project): string =>
  [
    '<!DOCTYPE html>',
    '<html>',
    '  <head>',
    '    <meta name="pypi:repository-version" content="1.3">',
    `    <title>Links for ${escapeHtml(name)}</title>`,
    '  </head>',
    '  <body>',
    `    <h1>Links for ${escapeHtml(name)}</h1>`,
    ...files.map(formatFile),
    '  </body>',
    '</html>',
    '',
  ].join('\n');
