import { createHash } from 'node:crypto';
import type { PypiFile } from '../../../domain/facts/manifest.ts';
import type { JsonObject } from '../../../util/json.ts';
import { catchPermanentFault, UpstreamError } from '../../../util/outbound-http/upstream-error.ts';
import type { Origin } from '../../origin/origin-http.ts';
import { isWheel } from '../file-name.ts';
import type { ProjectFile } from './simple.ts';

const maxMetadataBytes = 4 * 1024 * 1024;

/** Returns the `Name: value` headers before the first empty line. An indented line continues the previous header. */
const readHeaders = (text: string): [name: string, value: string][] => {
  const [head = ''] = text.replace(/^\ufeff/, '').split(/\r?\n\r?\n/, 1);
  return head
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .flatMap((line): [string, string][] => {
      const [, name, value] = /^([A-Za-z-]+):(.*)$/.exec(line) ?? [];
      return name && value !== undefined ? [[name.toLowerCase(), value.trim()]] : [];
    });
};

/** Returns the label and URL of a `Project-URL` header, such as `Documentation, https://…`. */
const splitLabel = (value: string): [label: string, url: string] => {
  const at = value.indexOf(',');
  return [value.slice(0, at), value.slice(at + 1).trim()];
};

/** Returns the core metadata (PyPA) that facts need, with the field names of the JSON API. */
const readCoreMetadata = (text: string): JsonObject => {
  const headers = readHeaders(text);
  const all = (name: string) => headers.filter(([one]) => one === name).map(([, value]) => value);
  const [expression, license, summary, homePage] = [
    ...['license-expression', 'license', 'summary', 'home-page'],
  ].map((name) => all(name)[0]);
  return {
    license_expression: expression,
    license,
    summary,
    home_page: homePage,
    classifiers: all('classifier'),
    requires_dist: all('requires-dist'),
    project_urls: Object.fromEntries(all('project-url').map(splitLabel)),
  };
};

/** Returns the best file for metadata: files with listed metadata first, and wheels before source archives. */
const chooseFile = (files: readonly PypiFile[]): PypiFile | undefined => {
  const withMetadata = files.filter((file) => file['core-metadata']);
  const wheels = (some: readonly PypiFile[]) => some.find(({ filename }) => isWheel(filename));
  return wheels(withMetadata) ?? withMetadata[0] ?? wheels(files);
};

const listHashes = (file: PypiFile): Readonly<Record<string, string>> => {
  const withMetadata = file['core-metadata'];
  return typeof withMetadata === 'object' ? withMetadata : {};
};

/** Metadata of a version and its files. The file that supplied the metadata has the digest of the metadata. */
export interface VersionMetadata {
  readonly info: JsonObject;
  readonly files: readonly ProjectFile[];
}

/**
 * Fetches the metadata file of a version (PEP 658), even if upstream lists none for its wheels. Returns an empty `info`
 * if there is no valid metadata file.
 * @throws {UpstreamError} at a temporary fault
 */
export const askMetadata = async (
  { ask }: Origin,
  files: readonly ProjectFile[],
): Promise<VersionMetadata> => {
  const chosen = chooseFile(files.map(({ file }) => file));
  if (!chosen) return { info: {}, files };
  const path = new URL(chosen.url);
  path.pathname += '.metadata';
  const request = { path, accept: '*/*', maxBytes: maxMetadataBytes };
  const answer = await catchPermanentFault(() => ask(request));
  if (
    !answer ||
    answer instanceof UpstreamError ||
    !/^Metadata-Version:/im.test(answer.bytes.toString('utf8', 0, 1000))
  ) {
    return { info: {}, files };
  }
  const sha256 = createHash('sha256').update(answer.bytes).digest('hex');
  const { sha256: expected = sha256, ...others } = listHashes(chosen);
  // The digest differs from the listed one: the metadata belongs to another file, or is damaged.
  if (expected.toLowerCase() !== sha256) return { info: {}, files };
  const pinned = { ...chosen, 'core-metadata': { ...others, sha256 } };
  const info = readCoreMetadata(answer.bytes.toString());
  return {
    info,
    files: files.map((one) => (one.file === chosen ? { ...one, file: pinned } : one)),
  };
};
