import type { ListValidator } from '../../../domain/facts/list-validator.ts';
import type { PypiFile } from '../../../domain/facts/manifest.ts';
import { canonicalizeName } from '../../../domain/packages/package-name.ts';
import { isObject, type JsonObject, parseJson, readAt, readTextAt } from '../../../util/json.ts';
import { isAsSafe } from '../../../util/outbound-http/outbound-http.ts';
import { UpstreamError } from '../../../util/outbound-http/upstream-error.ts';
import { explainNonsense, type Origin, type OriginAnswer } from '../../origin/origin-http.ts';
import { isKnownAnswer, toValidator } from '../../origin/package-list.ts';
import { readFileVersion } from '../file-name.ts';
import { readSimpleHtml } from './simple-html.ts';

/** One file of a project. `provenance` is undefined if upstream does not report provenance. */
export interface ProjectFile {
  readonly file: PypiFile;
  readonly version: string;
  readonly provenance: boolean | undefined;
}

/** Data of a project from the Simple API. */
export interface Project {
  /** All wheels and source archives, of all versions. */
  readonly files: readonly ProjectFile[];
  /** Reason of a deprecation, possibly empty; undefined for any other project. */
  readonly deprecated: string | undefined;
  /** Reason of a quarantine, possibly empty; undefined for any other project. Nobody can install the project then. */
  readonly quarantined: string | undefined;
}

/** Maximum size of a page. The largest projects have about 20 MB and some ten thousand files. */
const maxSimpleBytes = 32 * 1024 * 1024;
const mostFiles = 100_000;
const longestAddress = 2_000;

const accept =
  'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1';

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Returns the hexadecimal hashes by algorithm; names with capital letters are omitted. */
const readHashes = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).filter(
      (entry): entry is [string, string] =>
        /^[a-z0-9_]+$/.test(entry[0]) && isText(entry[1]) && /^[0-9a-f]+$/i.test(entry[1]),
    ),
  );

/** Returns the `core-metadata` field, also under its former names (PEP 714). */
const readCoreMetadata = (entry: JsonObject): PypiFile['core-metadata'] => {
  const metadata =
    entry['core-metadata'] ?? entry['dist-info-metadata'] ?? entry['data-dist-info-metadata'];
  if (typeof metadata === 'boolean') return metadata;
  return isObject(metadata) ? readHashes(metadata) : undefined;
};

/** Returns the optional fields of a file that have the right type. */
const readMembers = (entry: JsonObject) => {
  const { yanked, size } = entry;
  const coreMetadata = readCoreMetadata(entry);
  return {
    ...(isText(entry['requires-python']) && { 'requires-python': entry['requires-python'] }),
    ...((typeof yanked === 'string' || typeof yanked === 'boolean') && { yanked }),
    ...(typeof size === 'number' && { size }),
    ...(isText(entry['upload-time']) && { 'upload-time': entry['upload-time'] }),
    ...(coreMetadata !== undefined && { 'core-metadata': coreMetadata }),
  };
};

/** True if upstream has attestations of a file; undefined if it does not report them. */
const hasProvenance = ({ provenance }: JsonObject): boolean | undefined =>
  provenance === undefined ? undefined : isText(provenance);

/** Returns an address as an absolute URL; undefined if it is too long, or less secure than the page. */
const readAddress = (address: string, page: URL): string | undefined => {
  const url = address.length <= longestAddress ? URL.parse(address, page.href) : null;
  return url && isAsSafe(page, url) ? url.href : undefined;
};

/** Returns a file of PEP 691; undefined without a name or a safe URL, or if the file belongs to another project. */
export const readFile = (
  entry: unknown,
  canonicalName: string,
  page: URL,
): ProjectFile | undefined => {
  if (!isObject(entry) || !isText(entry['filename']) || !isText(entry['url'])) return undefined;
  const { filename } = entry;
  const version = readFileVersion(filename, canonicalName);
  const url = readAddress(entry['url'], page);
  if (!version || url === undefined) return undefined;
  const provenance = isText(entry['provenance']) && readAddress(entry['provenance'], page);
  const file = {
    filename,
    url,
    hashes: readHashes(entry['hashes']),
    ...readMembers(entry),
    ...(provenance && { provenance }),
  };
  return { file, version, provenance: hasProvenance(entry) };
};

const isJson = ({ headers }: OriginAnswer): boolean =>
  /[/+]json\b/.test(headers.get('Content-Type') ?? '');

/** True if an HTML page without files identifies itself as a Simple API page. Sign-in pages, for example, do not. */
const isEmptyProject = (html: string): boolean =>
  /pypi:repository-version|<h1>Links for /i.test(html);

/** Returns the reason if a project is deprecated or in quarantine. An archived project is usable. Source: PEP 792. */
const readProjectStatus = (page: unknown): Omit<Project, 'files'> => {
  const [status, reason = ''] = ['status', 'reason'].map((name) =>
    readTextAt(page, 'project-status', name),
  );
  return {
    deprecated: status === 'deprecated' ? reason : undefined,
    quarantined: status === 'quarantined' ? reason : undefined,
  };
};

/**
 * Returns the project of a page; undefined if it is no page of the Simple API.
 * @throws {UpstreamError} if the page has more than 100,000 files
 */
const readProject = (
  host: string,
  answer: OriginAnswer,
  canonicalName: string,
): Project | undefined => {
  const text = answer.bytes.toString();
  const page = isJson(answer) ? parseJson(text) : readSimpleHtml(text, host);
  const entries = readAt(page, 'files');
  if (!Array.isArray(entries)) return undefined;
  if (entries.length > mostFiles) {
    throw new UpstreamError(`${host} answered with a page of more than ${mostFiles} files`);
  }
  const files = entries.flatMap((entry) => readFile(entry, canonicalName, answer.url) ?? []);
  const isProject = files.length > 0 || isJson(answer) || isEmptyProject(text);
  return isProject ? { files, ...readProjectStatus(page) } : undefined;
};

/**
 * Fetches a project from the Simple API in JSON or HTML, with the identity of the answer. Returns `unchanged` if the answer is the
 * known one, and undefined if the name is unknown.
 */
export const askChangedProject = (
  { ask, host, oneAtATime }: Origin,
  name: string,
  known: ListValidator | undefined,
): Promise<{ project: Project; validator: ListValidator } | 'unchanged' | undefined> =>
  oneAtATime(async () => {
    const canonicalName = canonicalizeName('pypi', name);
    const path = `simple/${canonicalName}/`;
    const answer = await ask({ path, accept, maxBytes: maxSimpleBytes, etag: known?.etag });
    if (!answer) return undefined;
    if (isKnownAnswer(answer, known)) return 'unchanged';
    const project = readProject(host, answer, canonicalName);
    if (!project) throw explainNonsense(host, answer);
    return { project, validator: toValidator(answer) };
  });

/** Fetches a project from the Simple API in JSON or HTML; undefined if the name is unknown. */
export const askSimple = async (origin: Origin, name: string): Promise<Project | undefined> => {
  const found = await askChangedProject(origin, name, undefined);
  return found === 'unchanged' ? undefined : found?.project;
};
