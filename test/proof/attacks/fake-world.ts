/** The outside world of a replay on loopback: origins, the malware feed, OSV.dev and the queues, each as of the simulated time. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';
import { osvNames } from '../../../shared/ecosystems/rules.ts';
import { serveStandIn } from '../../support/stand-in.ts';
import { minuteMs, type PlannedRecord } from './dataset.ts';
import { readClock } from './simulated-clock.ts';

/** Version at its origin. */
export interface WorldVersion {
  readonly name: string;
  readonly version: string;
  /** Absent: no source gives it, and the origin states none. */
  readonly publishedAt?: number | undefined;
  readonly removedAt?: number | undefined;
  readonly deprecatedAt?: number | undefined;
  /** True if the origin states no time of publication. */
  readonly isUndated?: boolean;
  readonly release?: WorldRelease;
}

/** What an npm origin says of the publication of a version. */
export interface WorldRelease {
  readonly publisher: string;
  readonly hasProvenance: boolean;
  readonly dependencies: readonly string[];
  readonly hasInstallScript: boolean;
}

const usual: WorldRelease = {
  ...{ publisher: 'maintainer', hasProvenance: false, dependencies: [], hasInstallScript: false },
};

/** What an incident brings into the world. */
export interface WorldContent {
  readonly ecosystem: Ecosystem;
  readonly versions: readonly WorldVersion[];
  /** Contents of records. A later one with the same id replaces an earlier one. */
  readonly records: readonly PlannedRecord[];
}

const exportMs = 15 * minuteMs;

/** Returns when the export has a record: OSV exports every 15 minutes. */
export const toListedAt = (importedAt: number): number =>
  Math.ceil(importedAt / exportMs) * exportMs;

const isPublished = ({ publishedAt, removedAt }: WorldVersion, now: number): boolean =>
  (publishedAt ?? 0) <= now && (removedAt === undefined || now < removedAt);

const dropScope = (name: string): string => name.slice(name.indexOf('/') + 1);
const toTime = (ms: number): string => new Date(ms).toISOString();
const digest = (algorithm: string, of: string) => createHash(algorithm).update(of);

/** Placeholder that stays when an origin removes all else: names do not vanish. */
const holder = '0.0.1-security';

const makePackument = (name: string, versions: readonly WorldVersion[], base: string) => {
  const now = readClock();
  const present = versions.filter((one) => isPublished(one, now));
  const numbers = present.length > 0 ? present.map(({ version }) => version) : [holder];
  const entry = (version: string) => {
    const file = `${base}/npm/${name}/-/${dropScope(name)}-${version}.tgz`;
    const found = versions.find((one) => one.version === version);
    const release = found?.release ?? usual;
    const isDeprecated = found?.deprecatedAt !== undefined && found.deprecatedAt <= now;
    const integrity = `sha512-${digest('sha512', file).digest('base64')}`;
    const dist = {
      ...{ tarball: file, shasum: digest('sha1', file).digest('hex'), integrity, signatures: [] },
      ...(release.hasProvenance && { attestations: { url: `${base}/attestations` } }),
    };
    const deprecated = isDeprecated ? { deprecated: 'Published by mistake' } : {};
    return {
      ...{ name, version, license: 'MIT', main: 'index.js', dist, ...deprecated },
      _npmUser: { name: release.publisher },
      maintainers: [{ name: 'maintainer' }],
      dependencies: Object.fromEntries(release.dependencies.map((one) => [one, '*'])),
      scripts: release.hasInstallScript ? { postinstall: 'node setup.js' } : {},
    };
  };
  const dated = versions.filter((one) => !one.isUndated && (one.publishedAt ?? 0) <= now);
  const created =
    dated.length > 0 ? Math.min(...dated.map((one) => one.publishedAt ?? 0)) : undefined;
  return {
    name,
    'dist-tags': { latest: numbers.at(-1) },
    versions: Object.fromEntries(numbers.map((version) => [version, entry(version)])),
    time: {
      ...(created !== undefined && { created: toTime(created) }),
      ...Object.fromEntries(dated.map((one) => [one.version, toTime(one.publishedAt ?? 0)])),
    },
  };
};

export const toWheel = ({ name, version }: Pick<WorldVersion, 'name' | 'version'>): string =>
  `${name.replaceAll('-', '_')}-${version}-py3-none-any.whl`;

const makePypiFile = (one: WorldVersion, base: string) => ({
  filename: toWheel(one),
  url: `${base}/files/${toWheel(one)}`,
  digests: { sha256: digest('sha256', toWheel(one)).digest('hex') },
  ...(!one.isUndated && { upload_time_iso_8601: toTime(one.publishedAt ?? 0) }),
});

const servePypi = (path: string, { versions }: WorldContent, base: string): unknown => {
  const present = versions.filter((one) => isPublished(one, readClock()));
  const [, json, simple] = /^(?:pypi\/(.+)\/json|simple\/([^/]+)\/)$/.exec(path) ?? [];
  if (json) {
    const found = present.find(({ name, version }) => json === `${name}/${version}`);
    const { name, version } = found ?? {};
    return found && { info: { name, version, license: 'MIT' }, urls: [makePypiFile(found, base)] };
  }
  if (!versions.some(({ name }) => name === simple)) return undefined;
  const files = present
    .filter(({ name }) => name === simple)
    .map((one) => {
      const { digests, upload_time_iso_8601: time, ...file } = makePypiFile(one, base);
      return { ...file, hashes: digests, ...(time !== undefined && { 'upload-time': time }) };
    });
  return { meta: { 'api-version': '1.1' }, name: simple, files };
};

/** Returns the path of a file of a version below a Maven repository. */
export const toMavenPath = ({ name, version }: Pick<WorldVersion, 'name' | 'version'>): string => {
  const [group = '', artifact = ''] = name.split(':');
  return `${group.replaceAll('.', '/')}/${artifact}/${version}/${artifact}-${version}`;
};

const makePom = ({ name, version }: WorldVersion): string => {
  const [group, artifact] = name.split(':');
  return `<project><modelVersion>4.0.0</modelVersion><groupId>${group}</groupId><artifactId>${artifact}</artifactId>
    <version>${version}</version><licenses><license><name>MIT</name></license></licenses></project>`;
};

const serveMaven = (path: string, { versions }: WorldContent): WorldAnswer | undefined => {
  if (path.endsWith('maven-metadata.xml')) {
    return { text: '<metadata><versioning><release>0.0.1</release></versioning></metadata>' };
  }
  const present = versions.filter((one) => isPublished(one, readClock()));
  const found = present.find((one) => path.startsWith(toMavenPath(one)));
  if (!found) return undefined;
  const ending = path.slice(toMavenPath(found).length);
  const modified = new Date(found.publishedAt ?? 0).toUTCString();
  const texts: Record<string, string> = { '.pom': makePom(found), '.jar': found.version };
  const [, file = '', sum] = /^(\.pom|\.jar)(?:\.(sha1|sha256))?$/.exec(ending) ?? [];
  const content = texts[file];
  if (content === undefined) return undefined;
  return { text: sum ? digest(sum, content).digest('hex') : content, modified };
};

interface WorldAnswer {
  readonly text: string;
  readonly modified?: string;
}

const json = (value: unknown): WorldAnswer | undefined =>
  value === undefined ? undefined : { text: JSON.stringify(value) };

/** Returns the contents that the export has at the simulated time, the newest of each record and package. */
const listExported = ({ records }: WorldContent): PlannedRecord[] => {
  const listed = records.filter(({ importedAt }) => toListedAt(importedAt) <= readClock());
  return [...new Map(listed.map((one) => [`${one.id} ${one.name}`, one])).values()];
};

const makeRecord = (id: string, content: WorldContent) => {
  const parts = listExported(content).filter((one) => one.id === id);
  const [first] = parts;
  if (!first) return undefined;
  const ecosystem = osvNames[content.ecosystem];
  const modified = toTime(Math.max(...parts.map(({ importedAt }) => importedAt)));
  return {
    ...{ id, modified, summary: `Malicious code in ${first.name} (${ecosystem})` },
    ...(first.withdrawn && { withdrawn: modified }),
    affected: parts.map(({ name, versions, ranges }) => ({
      package: { ecosystem, name },
      versions,
      ranges: ranges.map(({ introduced, ...end }) => ({
        type: content.ecosystem === 'npm' ? 'SEMVER' : 'ECOSYSTEM',
        events: [
          { introduced },
          ...('fixed' in end ? [{ fixed: end.fixed }] : []),
          ...('last_affected' in end ? [{ last_affected: end.last_affected }] : []),
        ],
      })),
    })),
  };
};

const serveFeed = (path: string, content: WorldContent): WorldAnswer | undefined => {
  const [, ecosystem, file = ''] = /^(\w+)\/(.+)$/.exec(path) ?? [];
  const isOwn = ecosystem === osvNames[content.ecosystem];
  if (file !== 'modified_id.csv') return json(makeRecord(file.replace('.json', ''), content));
  const rows = (isOwn ? listExported(content) : [])
    .toSorted((one, other) => other.importedAt - one.importedAt)
    .map(({ id, importedAt }) => `${toTime(importedAt)},${id}\n`);
  return { text: [...new Set(rows)].join('') };
};

interface Queries {
  readonly queries: readonly {
    readonly package: { readonly name: string };
    readonly version: string;
  }[];
}

/** Ranges of the data name each version of the attack, so that a range counts for all of them. */
const answerBatch = ({ queries }: Queries, content: WorldContent) => ({
  results: queries.map(({ package: { name }, version }) => {
    const found = listExported(content).filter(
      (one) =>
        one.name === name &&
        !one.withdrawn &&
        (one.versions.includes(version) || one.ranges.length > 0),
    );
    return { vulns: found.map(({ id }) => ({ id, modified: toTime(readClock()) })) };
  }),
});

/** Message that a queue took. */
export interface QueuedMessage {
  readonly queue: string;
  readonly body: string;
}

interface Batch {
  readonly QueueUrl: string;
  readonly Entries: readonly { readonly Id: string; readonly MessageBody: string }[];
}

const takeMessages = ({ QueueUrl, Entries }: Batch, queued: QueuedMessage[]) => {
  const queue = QueueUrl.replace(/^.*\//, '');
  queued.push(...Entries.map(({ MessageBody }) => ({ queue, body: MessageBody })));
  const taken = Entries.map(({ Id, MessageBody }) => ({
    ...{ Id, MessageId: Id },
    MD5OfMessageBody: digest('md5', MessageBody).digest('hex'),
  }));
  return { Successful: taken, Failed: [] };
};

export interface FakeWorld {
  readonly url: string;
  /** Messages that no worker has received yet. */
  readonly queued: QueuedMessage[];
  content: WorldContent;
  close(): Promise<void>;
}

/** Starts an empty world. Its content can be replaced. */
export const startFakeWorld = async (): Promise<FakeWorld> => {
  const queued: QueuedMessage[] = [];

  const answer = async (request: IncomingMessage): Promise<WorldAnswer | undefined> => {
    const { content, url } = world;
    const [, kind, rest = ''] =
      /^\/(\w*)\/?(.*)$/.exec(decodeURIComponent(request.url ?? '')) ?? [];
    const body = request.method === 'POST' ? await text(request) : '{}';
    if (rest === 'querybatch') return json(answerBatch(JSON.parse(body) as Queries, content));
    if (kind === 'v1') return json(makeRecord(rest.replace('vulns/', ''), content));
    if (kind === 'malware') return serveFeed(rest, content);
    if (kind === 'pypi') return json(servePypi(rest, content, url));
    if (kind === 'maven') return serveMaven(rest, content);
    if (request.method === 'POST') return json(takeMessages(JSON.parse(body) as Batch, queued));
    const versions = content.versions.filter(({ name }) => name === rest);
    return kind === 'npm' && versions.length > 0
      ? json(makePackument(rest, versions, url))
      : undefined;
  };

  const { url, close } = await serveStandIn(async (request, response) => {
    const found = await answer(request);
    if (found === undefined) {
      response.writeHead(404);
      response.end('There is no such object.');
      return;
    }
    const etag = `"${digest('sha256', found.text).digest('hex').slice(0, 32)}"`;
    response.setHeader('ETag', etag);
    if (found.modified) response.setHeader('Last-Modified', found.modified);
    const isSimple = /^\/pypi\/simple\//.test(request.url ?? '');
    const type = isSimple ? 'application/vnd.pypi.simple.v1+json' : 'application/json';
    response.setHeader('Content-Type', type);
    const isKnown = request.headers['if-none-match'] === etag;
    response.writeHead(isKnown ? 304 : 200);
    response.end(isKnown ? '' : found.text);
  });
  const world: FakeWorld = {
    ...{ url, queued, close },
    content: { ecosystem: 'npm', versions: [], records: [] },
  };
  return world;
};
