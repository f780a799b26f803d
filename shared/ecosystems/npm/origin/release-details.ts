import type { Facts } from '../../../domain/facts/facts.ts';
import type { InstallScript, ReleaseDetails } from '../../../domain/facts/release-details.ts';
import { isObject, type JsonObject, readAt, readTextAt } from '../../../util/json.ts';
import { findPublishedBefore } from '../../origin/published-before.ts';
import { cleanList, cleanName, cleanScript } from '../../origin/release-text.ts';
import { listUnreadable } from '../../origin/upstream-answer.ts';
import type { PackumentEntry } from './packument.ts';
import { isWhole, listInstallScripts } from './version-facts.ts';

/** Command of the implicit `install` script that npm runs for a `binding.gyp`. */
const implicitBuild = 'node-gyp rebuild';

const readScripts = (version: JsonObject): readonly InstallScript[] | undefined =>
  listInstallScripts(version)?.map((name) => {
    const command = readTextAt(version, 'scripts', name);
    const text = command || (version['gypfile'] === true ? implicitBuild : undefined);
    return { name, ...cleanScript(text) };
  });

/** Returns the trusted publisher; null if the version names its publisher without one, undefined without a publisher. */
const readTrustedPublisher = (version: JsonObject): string | null | undefined => {
  if (!isObject(version['_npmUser'])) return undefined;
  return cleanName(readAt(version, '_npmUser', 'trustedPublisher', 'id')) ?? null;
};

const readMaintainers = ({ maintainers }: JsonObject): readonly string[] | undefined =>
  Array.isArray(maintainers)
    ? cleanList(maintainers.map((one) => (isObject(one) ? one['name'] : one)))
    : undefined;

/** Returns the publication times by version. A packument lists two further times. */
const listTimes = (time: unknown): (readonly [string, unknown])[] =>
  Object.entries(isObject(time) ? time : {}).filter(
    ([version]) => version !== 'created' && version !== 'modified' && version !== 'unpublished',
  );

/** Returns the details of a version's publication from the packument's object of the version and from its times. */
export const readNpmDetails = (
  version: JsonObject,
  {
    time,
    publishedAt,
    facts,
  }: Pick<PackumentEntry, 'time' | 'publishedAt'> & { readonly facts: Facts },
): ReleaseDetails => {
  const publisher = cleanName(readAt(version, '_npmUser', 'name'));
  const trusted_publisher = readTrustedPublisher(version);
  const maintainers = readMaintainers(version);
  const install_scripts = readScripts(version);
  const previous = findPublishedBefore('npm', listTimes(time), publishedAt);
  return {
    described: isWhole(version),
    ...listUnreadable({ homepage: version['homepage'], repository: version['repository'] }, facts),
    ...(publisher !== undefined && { publisher }),
    ...(trusted_publisher !== undefined && { trusted_publisher }),
    ...(maintainers !== undefined && { maintainers }),
    ...(install_scripts !== undefined && { install_scripts }),
    ...(previous !== undefined && { previous }),
  };
};
