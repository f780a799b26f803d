import type { PackageId } from '../../../domain/packages/package-id.ts';
import { canonicalizeName } from '../../../domain/packages/package-name.ts';
import { canonicalizeVersion } from '../../../domain/packages/package-version.ts';
import { isObject, type JsonObject, readAt, readTextAt } from '../../../util/json.ts';
import { explainNonsense, type Origin, readJson } from '../../origin/origin-http.ts';
import { type ProjectFile, readFile } from './simple.ts';

/** Data of one version from the JSON API. */
export interface JsonRelease {
  readonly info: JsonObject;
  readonly files: readonly ProjectFile[];
}

const maxReleaseBytes = 16 * 1024 * 1024;

/** Returns a file of the JSON API with the field names of PEP 691. */
const translateFile = (entry: unknown): JsonObject => ({
  filename: readAt(entry, 'filename'),
  url: readAt(entry, 'url'),
  hashes: readAt(entry, 'digests'),
  'requires-python': readAt(entry, 'requires_python'),
  yanked: readAt(entry, 'yanked') === true ? (readAt(entry, 'yanked_reason') ?? true) : false,
  size: readAt(entry, 'size'),
  'upload-time': readAt(entry, 'upload_time_iso_8601'),
});

/** Fetches a version from the JSON API; undefined if the API or the version is missing. */
export const askJsonApi = async (
  { ask, host }: Origin,
  { name, version }: PackageId,
): Promise<JsonRelease | undefined> => {
  const canonicalName = canonicalizeName('pypi', name);
  const path = `pypi/${canonicalName}/${encodeURIComponent(version)}/json`;
  const answer = await ask({ path, accept: 'application/json', maxBytes: maxReleaseBytes });
  if (!answer) return undefined;
  const release = readJson(host, answer);
  const info = readAt(release, 'info');
  const upstreamVersion = readTextAt(info, 'version') ?? '';
  const isSame =
    canonicalizeName('pypi', readTextAt(info, 'name') ?? '') === canonicalName &&
    canonicalizeVersion('pypi', upstreamVersion) === canonicalizeVersion('pypi', version);
  if (!isObject(info) || !isSame) throw explainNonsense(host, answer);
  const urls = readAt(release, 'urls');
  const files = (Array.isArray(urls) ? urls : []).map(translateFile);
  return { info, files: files.flatMap((file) => readFile(file, canonicalName, answer.url) ?? []) };
};
