import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type PackageId, toVersionKey } from '../../shared/domain/packages/package-id.ts';
import releasedRoot from '../../shared/ecosystems/provenance/trusted-root.build.ts';
import { toItemKey } from '../../shared/storage/packages/version-keys.ts';
import { toRefreshFields } from '../../shared/storage/reviews/due-refreshes.ts';
import { databaseOf } from '../support/database.ts';
import { packagePath, type TestRegistry } from '../support/registry.ts';
import { serveTuf } from '../support/tuf-repository.ts';
import { type Exercise, invoking, reading } from './exercise.ts';

/** Changes the head of a version, and has its origin be asked next when the head then says. */
export const changeHead = async (
  registry: TestRegistry,
  name: string,
  change: (head: Record<string, unknown>) => Record<string, unknown>,
): Promise<void> => {
  const database = databaseOf(registry);
  const TableName = registry.stack.tables['REVIEWS_TABLE'];
  const v = `npm#${name}#1.0.0`;
  const { Item = {} } = await database.send(new GetCommand({ TableName, Key: { v, k: 'head' } }));
  const changed: Record<string, unknown> = { ...Item, ...change(Item) };
  const { refresh_at } = changed;
  if (typeof refresh_at === 'string') {
    Object.assign(changed, toRefreshFields({ ecosystem: 'npm', name }, refresh_at));
  }
  await database.send(new PutCommand({ TableName, Item: changed }));
};

/** Has the origin of a version be asked by the clock, which is long behind with it. */
export const makeAskingDue = (registry: TestRegistry, name: string): Promise<void> =>
  changeHead(registry, name, () => ({ refresh_at: '2026-01-01T00:00:00.000Z' }));

const publish = (name: string, more: object = {}) => ({
  body: {
    name,
    'dist-tags': { latest: '1.0.0' },
    versions: { '1.0.0': { name, version: '1.0.0', license: 'MIT', ...more } },
  },
});

/** Has the origin of a version be asked, as its message does. */
const collect = (
  ...[registry, name, osv, origin, ecosystem = 'npm']: [...Parameters<Exercise>, string?]
): Promise<number[]> => {
  const body = JSON.stringify({ ecosystem, name, version: '1.0.0' });
  const event = { Records: [{ messageId: name, body }] };
  return invoking('collect-facts', event)(registry, name, osv, origin);
};

/** Leaves an approved version as a release without pins stored it. */
const removePin = async (registry: TestRegistry, name: string): Promise<void> => {
  await databaseOf(registry).send(
    new UpdateCommand({
      TableName: registry.stack.tables['PACKAGES_TABLE'],
      Key: toItemKey({ ecosystem: 'npm', name, version: '1.0.0' }),
      UpdateExpression: 'REMOVE pinned',
    }),
  );
  await changeHead(registry, name, () => ({ pinned: null }));
};

/** Leaves two approvals without pins: of files that were known before the approval, and of files that were known after it. */
export const approveUnpinned = async (
  ...[registry, name, osv, origin]: Parameters<Exercise>
): Promise<void> => {
  const [before, after] = [`${name}-before`, `${name}-after`] as const;
  for (const one of [before, after]) {
    await registry.submit({ ecosystem: 'npm', name: one, version: '1.0.0' });
    origin.serve(`/npm/${one}`, publish(one, { dist: { tarball: `${origin.url}/${one}.tgz` } }));
    if (one === before) await collect(registry, one, osv, origin);
    await registry.post(packagePath(one, '/approve'));
    if (one === after) await collect(registry, one, osv, origin);
    await removePin(registry, one);
  }
};

/** A version that was approved before anything was known of it, and that its publisher deprecates for a time. */
export const collecting: Exercise = async (registry, name, osv, origin) => {
  await registry.post(packagePath(name, '/approve'));
  const dist = { tarball: `${origin.url}/${name}.tgz` };
  origin.serve(`/npm/${name}`, publish(name, { dist }));
  const first = await collect(registry, name, osv, origin);
  const old = publish(name, { dist, deprecated: 'use another one' }).body;
  const versions = { ...old.versions, '1.2.0': { name, version: '1.2.0', dist } };
  // The newer version is one to follow.
  origin.serve(`/npm/${name}`, { body: { ...old, versions } });
  const facts = { checked_at: '2026-01-01T00:00:00.000Z' };
  const collectAgain = async (): Promise<number[]> => {
    await changeHead(registry, name, (head) => ({ facts: { ...Object(head['facts']), ...facts } }));
    return collect(registry, name, osv, origin);
  };
  const again = await collectAgain();
  origin.serve(`/npm/${name}`, publish(name, { dist }));
  const restored = await collectAgain();
  const changed = await collectChanged(registry, name, osv, origin);
  return [...first, ...again, ...restored, ...changed];
};

/** Collects a version that adds a dependency to an approved one. */
const collectChanged: Exercise = async (registry, name, osv, origin) => {
  const version = '1.1.0';
  const dist = { tarball: `${origin.url}/${name}.tgz` };
  const manifest = { name, version, license: 'MIT', dist, dependencies: { [`${name}-new`]: '1' } };
  origin.serve(`/npm/${name}`, { body: { name, versions: { [version]: manifest } } });
  await registry.submit({ ecosystem: 'npm', name, version });
  const body = JSON.stringify({ ecosystem: 'npm', name, version });
  const event = { Records: [{ messageId: version, body }] };
  return invoking('collect-facts', event)(registry, name, osv, origin);
};

const installToken = 'the-token-of-an-install-of-more-than-thirty-two-characters';

/** Has a gate submit a version, for a token that is in the list meanwhile. */
const askByInstalling = async (registry: TestRegistry, path: string): Promise<number> => {
  const { secrets, model } = registry.stack;
  const [secret] = Object.values(model.secrets);
  const id = secret?.id ?? '';
  const before = await secrets.get(id);
  await secrets.put(id, `install/submit:${installToken}`);
  const headers = { Authorization: `Bearer ${installToken}` };
  const answer = await fetch(`${registry.url}${path}`, { headers, redirect: 'manual' });
  await secrets.put(id, before);
  return (await answer.text()).includes('requested with your token') ? 200 : 500;
};

/** Has the worker pack an approved version, and changes its approval, so that the pack is older than the version. */
const packAndRenew = async (
  [registry, name, osv, origin]: Parameters<Exercise>,
  { id, path }: { readonly id: PackageId; readonly path: string },
): Promise<void> => {
  const Keys = { v: { S: toVersionKey(id) } };
  const event = { Records: [{ dynamodb: { SequenceNumber: '1', Keys } }] };
  await invoking('index-versions', event)(registry, name, osv, origin);
  await registry.post(path, { expires_in_days: 30 });
};

/**
 * Asks the gate of npm for an approved version with an optional dependency, for its file, for a version that is not approved,
 * and for a package without any.
 */
export const installing: Exercise = async (registry, name, osv, origin) => {
  const tarball = `${origin.url}/${name}/-/${name}-1.0.0.tgz`;
  const dist = { tarball, integrity: `sha512-${'A'.repeat(86)}==` };
  origin.serve(`/npm/${name}`, publish(name, { dist, optionalDependencies: { [name]: '1.0.0' } }));
  await collect(registry, name, osv, origin);
  await registry.post(packagePath(name, '/approve'));
  await packAndRenew([registry, name, osv, origin], {
    ...{
      id: { ecosystem: 'npm', name, version: '1.0.0' },
      path: `${packagePath(name, '/approve')}?ecosystem=npm`,
    },
  });
  const paths = [name, `${name}/-/${name}-1.0.0.tgz`, `${name}/-/${name}-2.0.0.tgz`, `${name}-no`];
  const answers = await Promise.all(
    paths.map((path) => fetch(`${registry.url}/npm/${path}`, { redirect: 'manual' })),
  );
  const statuses = answers.map(({ status }, at) =>
    status === [200, 302, 403, 403][at] ? 200 : 500,
  );
  return [...statuses, await askByInstalling(registry, `/npm/${name}-asked`)];
};

const reviewPod = async (registry: TestRegistry, name: string, route: string) => {
  const containers = [{ image: `${name}:1.0.0` }, { image: 'never:1.0' }];
  return registry.post(`/api/v1/kubernetes/${route}?timeout=10s`, {
    ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
    request: { uid: name, object: { kind: 'Pod', spec: { containers } } },
  });
};

export const admitting: Exercise = async (registry, name) => {
  const { status, body } = await reviewPod(registry, name, 'admission');
  return [status, body.response.allowed === false ? 200 : 500];
};

export const pinning: Exercise = async (registry, name) => {
  const { status, body } = await reviewPod(registry, name, 'mutation');
  return [status, body.response.allowed === true ? 200 : 500];
};

/** The same of pip's gate. */
export const installingPython: Exercise = async (registry, name, osv, origin) => {
  const filename = `${name.replaceAll('-', '_')}-1.0.0.tar.gz`;
  const file = { filename, url: `${origin.url}/${filename}`, hashes: { sha256: 'a'.repeat(64) } };
  const headers = { 'Content-Type': 'application/vnd.pypi.simple.v1+json' };
  origin.serve(`/pypi/simple/${name}/`, { headers, body: { name, files: [file] } });
  await registry.submit({ ecosystem: 'pypi', name, version: '1.0.0' });
  await collect(registry, name, osv, origin, 'pypi');
  const approval = `${packagePath(name, '/approve')}?ecosystem=pypi`;
  await registry.post(approval);
  await packAndRenew([registry, name, osv, origin], {
    ...{ id: { ecosystem: 'pypi', name, version: '1.0.0' }, path: approval },
  });
  const files = `files/${name}/1.0.0/${filename}`;
  const paths = [
    `simple/${name}/`,
    files,
    files.replaceAll('1.0.0', '2.0.0'),
    `simple/${name}-no/`,
  ];
  const answers = await Promise.all(
    paths.map((path) => fetch(`${registry.url}/pypi/${path}`, { redirect: 'manual' })),
  );
  const statuses = answers.map(({ status }, at) =>
    status === [200, 302, 403, 404][at] ? 200 : 500,
  );
  return [...statuses, await askByInstalling(registry, `/pypi/simple/${name}-asked/`)];
};

/** The same of Maven's gate: metadata, a file, checksums of it and of a POM that others lean on, and a version that is not approved. */
export const building: Exercise = async (registry, name, osv, origin) => {
  const id = { ecosystem: 'maven', name: `org.acme:${name}`, version: '1.0.0' } as const;
  const path = `org/acme/${name}/1.0.0/${name}-1.0.0`;
  const body = `<project><artifactId>${name}</artifactId></project>`;
  origin.serve(`/maven/${path}.pom`, { body });
  origin.serve(`/maven/${path}.jar.sha1`, { body: 'a'.repeat(40) });
  await registry.submit(id);
  const event = { Records: [{ messageId: name, body: JSON.stringify(id) }] };
  await invoking('collect-facts', event)(registry, name, osv, origin);
  const approval = `${packagePath(id.name, '/approve')}?ecosystem=maven`;
  await registry.post(approval);
  await packAndRenew([registry, name, osv, origin], {
    id,
    path: approval,
  });
  const unapproved = `org/acme/${name}/2.0.0/${name}-2.0.0`;
  const asked: readonly [string, number][] = [
    [`org/acme/${name}/maven-metadata.xml`, 200],
    [`${path}.jar`, 302],
    [`${path}.pom.sha1`, 200],
    [`${unapproved}.pom.sha1`, 403],
    [`${unapproved}.jar`, 403],
    [`org/acme/${name}-no/maven-metadata.xml`, 403],
  ];
  const answers = await Promise.all(
    asked.map(([one]) => fetch(`${registry.url}/maven/${one}`, { redirect: 'manual' })),
  );
  const statuses = answers.map(({ status }, at) => (status === asked[at]?.[1] ? 200 : 500));
  const missing = `org/acme/${name}-asked/1.0.0/${name}-asked-1.0.0.pom`;
  return [...statuses, await askByInstalling(registry, `/maven/${missing}`)];
};

/** Shows the evidence of a version, and of one of each ecosystem with files. */
export const showingEvidence: Exercise = async (registry, name, osv, origin) => {
  const evidence = (one: string): string => packagePath(one, '/evidence');
  const read = (queries?: readonly string[]) => reading(evidence, queries);
  const statuses = await read()(registry, name, osv, origin);
  await installing(registry, name, osv, origin);
  await installingPython(registry, name, osv, origin);
  await building(registry, name, osv, origin);
  const maven = await registry.get(evidence(`org.acme:${name}`));
  const others = await read(['?ecosystem=npm', '?ecosystem=pypi'])(registry, name, osv, origin);
  return [...statuses, maven.status, ...others];
};

/** Compares with no version, with a named one, and with one that was published before. */
export const showingChanges: Exercise = async (registry, name, osv, origin) => {
  origin.serve(`/npm/${name}`, publish(name));
  await collect(registry, name, osv, origin);
  await registry.submit({ ecosystem: 'npm', name, version: '0.9.0' });
  const queries = [
    '?version=1.0.0',
    '',
    '?ecosystem=npm',
    '?ecosystem=npm&version=1.0.0&since=0.9.0',
  ];
  return reading((one) => packagePath(one, '/changes'), queries)(registry, name, osv, origin);
};

/** Lists dependencies, of which the registry has an approved one, another one and none. */
export const listingDependencies: Exercise = async (registry, name, osv, origin) => {
  const dist = { tarball: `${origin.url}/${name}.tgz`, shasum: 'a'.repeat(40) };
  const dependencies = { [`${name}-needed`]: '^1.0.0' };
  origin.serve(`/npm/${name}`, publish(name, { dist, dependencies }));
  await collect(registry, name, osv, origin);
  return reading(
    (one) => packagePath(one, '/dependencies'),
    ['', '?ecosystem=npm', '?version=1.0.0'],
  )(registry, name, osv, origin);
};

/** Refreshes the trusted root from a repository of this test. */
export const refreshingTrustedRoot: Exercise = async (registry, name, osv, origin) => {
  serveTuf(origin, '/tuf', releasedRoot);
  return invoking('refresh-trusted-root', {})(registry, name, osv, origin);
};

/** Submits an update twice, and a version that an install asked for. */
export const submittingRequested: Exercise = async (registry, name, osv, origin) => {
  const other = `${name}-asked`;
  const versions = { '1.0.0': { name: other, version: '1.0.0', license: 'MIT' } };
  const time = { created: '2020-01-01T00:00:00.000Z', '1.0.0': '2020-01-01T00:00:00.000Z' };
  origin.serve(`/npm/${other}`, { body: { name: other, versions, time } });
  const common = { ecosystem: 'npm', range: null, fixes: [], root: null };
  const of = { ecosystem: 'npm', name, version: '1.0.0' };
  const update = { ...common, name, version: '1.1.0', cause: 'update', of, by: null };
  const by = { label: 'ci', fingerprint: '0123456789abcdef' };
  const install = { ...common, name: other, version: null, cause: 'install', of: null, by };
  const fix = { ...update, cause: 'security_fix', fixes: ['CVE-2026-1'] };
  const Records = [update, update, fix, install].map((body, at) => ({
    messageId: String(at),
    body: JSON.stringify(body),
  }));
  const statuses = await invoking('submit-requested', { Records })(registry, name, osv, origin);
  const paths = [packagePath(name, '?version=1.1.0'), packagePath(other)];
  const answers = await Promise.all(paths.map((path) => registry.get(path)));
  return [...statuses, ...answers.map(({ status }) => (status === 200 ? 200 : 500))];
};
