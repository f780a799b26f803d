import { DeleteCommand, PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import policy from '../../infra/license-policy.json' with { type: 'json' };
import { dataFormat } from '../../shared/api/data-format.ts';
import type { RegistryFunctionId } from '../../shared/api/functions.ts';
import { findTableDefinition, tableIds } from '../../shared/api/resources.ts';
import type { BatchAnswer } from '../../shared/platform/worker/batch-answer.ts';
import type { RecordItem } from '../../shared/storage/decisions/records.ts';
import { formatKey } from '../../shared/storage/dynamodb/format-item.ts';
import { toEventItem } from '../../shared/storage/events/event-item.ts';
import { databaseOf } from '../support/database.ts';
import { putFormats } from '../support/formats.ts';
import { functionOf } from '../support/functions.ts';
import { osvRecords } from '../support/osv-records.ts';
import type { OsvServer } from '../support/osv-server.ts';
import { redeploy, redeployWith } from '../support/redeploy.ts';
import { packagePath, type TestRegistry } from '../support/registry.ts';
import { type Exercise, invoking, reading, selections } from './exercise.ts';
import {
  admitting,
  approveUnpinned,
  building,
  changeHead,
  collecting,
  installing,
  installingPython,
  listingDependencies,
  makeAskingDue,
  pinning,
  refreshingTrustedRoot,
  showingChanges,
  showingEvidence,
  submittingRequested,
} from './facts-exercises.ts';
import { foldingCounter } from './fold-exercise.ts';
import { applyingPolicy, checking, previewingPolicy, runningPolicy } from './policy-exercises.ts';
import {
  damageProjects,
  listingPackageProjects,
  listingProjects,
  listingProjectUses,
  listingVulnerabilityProjects,
  recording,
  removingProject,
  replacingOwner,
  showingProject,
} from './project-exercises.ts';
import { decidingHeld, recalling } from './recall-exercises.ts';
import { showingAttestation, signing } from './signing-exercises.ts';
import {
  accepting,
  continuingListing,
  endingAcceptance,
  indexing,
  showingVulnerability,
  withdrawing,
} from './vulnerability-exercises.ts';

const hourMs = 60 * 60_000;

const readingPage =
  (path: string): Exercise =>
  async ({ url }) => [(await fetch(`${url}${path}`)).status];

/** Decides several times: the first decision finds a pending version, the others search all versions. */
const deciding =
  (what: string): Exercise =>
  async (registry, name) => {
    const statuses: number[] = [];
    for (const query of ['', '', '?ecosystem=npm', '?version=1.0.0']) {
      const { status } = await registry.send('POST', packagePath(name, `/${what}${query}`), {
        headers: { 'Idempotency-Key': `${name}-${statuses.length}` },
      });
      statuses.push(status);
    }
    return statuses;
  };

/** Approves with an expiry date, and then with a new expiry date. */
const approving: Exercise = async (registry, name, osv, origin) => {
  const statuses = await deciding('approve')(registry, name, osv, origin);
  for (const expires_in_days of [30, 60]) {
    const { status } = await registry.post(packagePath(name, '/approve'), { expires_in_days });
    statuses.push(status);
  }
  return statuses;
};

/** Rejects a pending version, and then an approval with an expiry date. */
const rejecting: Exercise = async (registry, name, osv, origin) => {
  const statuses = await deciding('reject')(registry, name, osv, origin);
  const reason = 'on second thoughts';
  const approval = { reason, expires_in_days: 30 };
  await registry.post(packagePath(name, '/approve'), approval);
  const { status } = await registry.post(packagePath(name, '/reject'), { reason });
  return [...statuses, status];
};

/** Lets an approval expire. */
const expiring: Exercise = async (registry, name, osv, origin) => {
  const expires_at = registry.clock.at(hourMs);
  const { status } = await registry.post(packagePath(name, '/approve'), { expires_at });
  registry.clock.pass(hourMs);
  // As after a change of the settings: the run checks all approved versions.
  const TableName = registry.stack.tables['REVIEWS_TABLE'];
  await makeAskingDue(registry, name);
  const Key = { v: '#sweep', k: '#attention' };
  await databaseOf(registry).send(new DeleteCommand({ TableName, Key }));
  return [status, ...(await invoking('run-due-work', {})(registry, name, osv, origin))];
};

/** Renews the evidence of a pending version that a rule would approve. */
const renewingEvidence: Exercise = async (registry, name, osv, origin) => {
  const id = { ecosystem: 'npm', name: `${name}-waiting`, version: '1.0.0' };
  await registry.submit(id);
  const event = { Records: [{ messageId: name, body: JSON.stringify(id) }] };
  const scanned = await invoking('scan-submissions', event)(registry, id.name, osv, origin);
  registry.clock.pass(2 * hourMs);
  const due_at = registry.clock.at(0);
  await changeHead(registry, id.name, () => ({ next_evaluation: { at: due_at, rule: 'clean' } }));
  const k = `${due_at}#policy#npm#${id.name}#1.0.0`;
  const Item = { v: '#due-policy', k, kind: 'policy', due_at, ...id };
  const TableName = registry.stack.tables['REVIEWS_TABLE'];
  await databaseOf(registry).send(new PutCommand({ TableName, Item }));
  return [...scanned, ...(await invoking('run-due-work', {})(registry, name, osv, origin))];
};

const sequencing: Exercise = (registry, name, osv, origin) => {
  const record = { id: name, type: 'package.submitted', at: new Date().toISOString() };
  const NewImage = marshall({ ...record, name, to: 'pending' });
  const event = { Records: [{ dynamodb: { SequenceNumber: '1', NewImage } }] };
  return invoking('sequence-events', event)(registry, name, osv, origin);
};

const submitting: Exercise = async (registry, name) => {
  const submission = { ecosystem: 'npm', name: `${name}-other`, version: '1.0.0' };
  const headers = { 'Idempotency-Key': name };
  const { status } = await registry.post('/api/v1/packages', submission, { headers });
  const joined = await registry.post('/api/v1/packages', { ...submission, batch: 'shop' });
  return [status, joined.status];
};

/** Returns the statuses of all items of two requests with the same key: the second one replays the first answers. */
const sendTwice = async (
  registry: TestRegistry,
  path: string,
  { key, ...body }: Readonly<Record<string, unknown>> & { readonly key: string },
): Promise<number[]> => {
  const headers = { 'Idempotency-Key': key };
  const first = await registry.post(path, body, { headers });
  const second = await registry.post(path, body, { headers });
  const results = [first, second].flatMap(({ status, body: answer }) => [
    { status },
    ...(answer.results ?? []),
  ]);
  return results.map(({ status }) => status);
};

const submittingMany: Exercise = (registry, name) => {
  const submission = { ecosystem: 'npm', name: `${name}-other`, version: '1.0.0' };
  const joining = { ...submission, batch: 'shop' };
  return sendTwice(registry, '/api/v1/submissions', { key: name, packages: [submission, joining] });
};

/** Approves with an expiry date, and rejects, which removes the expiry date. */
const decidingMany: Exercise = (registry, name) => {
  const reason = 'on second thoughts';
  const version = { ecosystem: 'npm', name, version: '1.0.0', reason };
  const decisions = [
    { ...version, action: 'approve', expires_in_days: 30 },
    { ...version, action: 'approve', expires_in_days: 60 },
    { ...version, action: 'reject' },
  ];
  return sendTwice(registry, '/api/v1/decisions', { key: name, decisions });
};

/** Removes the number of scans from the head of the version, as a restore would. */
const forgetScans = (registry: TestRegistry, name: string) =>
  databaseOf(registry).send(
    new UpdateCommand({
      TableName: registry.stack.tables['REVIEWS_TABLE'],
      Key: { v: `npm#${name}#1.0.0`, k: 'head' },
      UpdateExpression: 'SET latest_scan_number = :none',
      ExpressionAttributeValues: { ':none': 0 },
    }),
  );

/** Normalizes all licenses, as after a change of the rules. The version has the normalization of another release. */
const normalizing: Exercise = async (registry, name, osv, origin) => {
  const TableName = registry.stack.tables['REVIEWS_TABLE'];
  const Key = { v: `npm#${name}#1.0.0`, k: 'head' };
  const UpdateExpression = 'SET normalization = :other';
  const ExpressionAttributeValues = { ':other': '{"license":"Other"}' };
  await databaseOf(registry).send(
    new UpdateCommand({ TableName, Key, UpdateExpression, ExpressionAttributeValues }),
  );
  await databaseOf(registry).send(
    new DeleteCommand({ TableName, Key: { v: '#sweep', k: '#licenses' } }),
  );
  return invoking('normalize-licenses', {})(registry, name, osv, origin);
};

/**
 * Uploads with and without a selection, and once more with the same key, which replays the first answer. The version is
 * approved, so that it needs attention in between.
 */
const submittingScan: Exercise = async (registry, name) => {
  const statuses: number[] = [];
  const approved = await registry.post(packagePath(name, '/approve'));
  statuses.push(approved.status);
  const failed = await registry.post(`/api/v1/security/scans/${name}`, failedReport);
  statuses.push(failed.status);
  await forgetScans(registry, name);
  for (const query of ['', '', '?ecosystem=npm', '?version=1.0.0']) {
    const path = `/api/v1/security/scans/${name}${query}`;
    const headers = { 'Idempotency-Key': `${name}${query}` };
    const { status } = await registry.post(path, ownReport, { headers });
    statuses.push(status);
  }
  return statuses;
};

const ownReport = { tool: 'a-scanner', vulnerabilities: [] };

const failedReport = {
  tool: 'a-scanner',
  vulnerabilities: [{ id: 'CVE-2021-44228', severity: 'critical' }],
};

/**
 * Makes the next scan by the registry find a worse vulnerability in an approved version that failed before. Another
 * version needs attention from that scan on.
 * @returns the name of the other version
 */
const preparingAttention = async (
  registry: TestRegistry,
  name: string,
  osv: OsvServer,
): Promise<string> => {
  const other = `${name}-other`;
  await registry.submit({ ecosystem: 'npm', name: other, version: '1.0.0' });
  for (const one of [name, other]) {
    await registry.post(packagePath(one, '/approve'));
    osv.know(`npm/${one}/1.0.0`, [osvRecords.log4shell]);
  }
  await registry.post(`/api/v1/security/scans/${name}`, {
    tool: 'a-scanner',
    vulnerabilities: [{ id: 'CVE-2026-1', severity: 'high' }],
  });
  await forgetScans(registry, name);
  return other;
};

/**
 * Fails once, so that the next success has an error to remove, and an approved version needs attention then.
 * Resolves to a status for each attempt.
 */
const scanningSubmission: Exercise = async (registry, name, osv) => {
  const { stack } = registry;
  const attempt = async (expected: number, ...names: string[]): Promise<number> => {
    const { id } = functionOf(stack.model, 'scan-submissions');
    const Records = names.map((one) => ({
      messageId: one,
      body: JSON.stringify({ ecosystem: 'npm', name: one, version: '1.0.0' }),
    }));
    const answer = await stack.invoke(id, { Records }).catch(() => undefined);
    const failures = (answer as BatchAnswer | undefined)?.batchItemFailures.length;
    return failures === expected ? 200 : 500;
  };
  osv.fail({ kind: 'body', body: 'no JSON' }, { about: name });
  const first = await attempt(1, name);
  osv.recover();
  const other = await preparingAttention(registry, name, osv);
  return [first, await attempt(0, name, other)];
};

const forwarding: Exercise = (registry, name, osv, origin) => {
  const NewImage = marshall({ ecosystem: 'npm', name, version: '1.0.0' });
  const event = { Records: [{ dynamodb: { SequenceNumber: '1', NewImage } }] };
  return invoking('forward-versions', event)(registry, name, osv, origin);
};

/** Approves a version to rescan, and makes the next rescan due. */
const rescanning: Exercise = async (registry, name, osv, origin) => {
  const TableName = registry.stack.tables['SCANS_TABLE'];
  const unscanned = { package_key: '#unscanned', scan_key: `npm#${name}#1.0.0` };
  const Item = { ...unscanned, ecosystem: 'npm', name, version: '1.0.0' };
  await databaseOf(registry).send(new PutCommand({ TableName, Item }));
  await preparingAttention(registry, name, osv);
  const Key = { package_key: '#rescan', scan_key: '#state' };
  await databaseOf(registry).send(new DeleteCommand({ TableName, Key }));
  return invoking('rescan-packages', {})(registry, name, osv, origin);
};

/** Claims the review of a version, with each way to select it. */
const claiming: Exercise = async (registry, name) => {
  const statuses: number[] = [];
  await registry.post(packagePath(name, '/approve'));
  for (const query of ['', '?ecosystem=npm', '?version=1.0.0']) {
    const { status } = await registry.post(packagePath(name, `/claim${query}`), {});
    statuses.push(status);
  }
  return statuses;
};

/** Comments on a version, with each way to select it, and once more with the same key. */
const commenting: Exercise = async (registry, name) => {
  const statuses: number[] = [];
  await registry.post(packagePath(name, '/approve'));
  for (const query of ['', '?ecosystem=npm', '?version=1.0.0', '?version=1.0.0']) {
    const { status } = await registry.send('POST', packagePath(name, `/comments${query}`), {
      body: { text: 'Why?', question: true },
      headers: { 'Idempotency-Key': `${name}${query}` },
    });
    statuses.push(status);
  }
  return statuses;
};

/** Dismisses the worst scan, with each way to select the version, and once more with the same key. */
const dismissing: Exercise = async (registry, name) => {
  const statuses: number[] = [];
  await registry.post(packagePath(name, '/approve'));
  const path = `/api/v1/security/scans/${name}`;
  const high = [{ id: 'CVE-2026-1', severity: 'high' }];
  await registry.post(path, { tool: 'b-scanner', vulnerabilities: high });
  for (const query of ['', '&ecosystem=npm', '&version=1.0.0', '&version=1.0.0']) {
    await registry.post(path, failedReport);
    const { status } = await registry.send('DELETE', `${path}?tool=a-scanner${query}`, {
      body: { reason: 'a mistake' },
      headers: { 'Idempotency-Key': `${name}${query}` },
    });
    statuses.push(status);
  }
  return statuses;
};

/** Decides twice with the same key: the second request replays the first answer. */
const settingLicense: Exercise = async (registry, name) => {
  const body = { status: 'approved', category: 'proprietary' };
  const headers = { 'Idempotency-Key': name };
  const path = `/api/v1/licenses/${name}`;
  const first = await registry.send('PUT', path, { body, headers });
  const second = await registry.send('PUT', path, { body, headers });
  const withException = `/api/v1/licenses/GPL-2.0-only%20WITH%20LLVM-exception`;
  await registry.send('PUT', withException, { body: { status: 'approved' } });
  const dropped = await registry.send('PUT', withException, { body: { status: null } });
  return [first.status, second.status, dropped.status];
};

/**
 * Has the load refused by tables of a later format, outside of a rollback. An instance that knows the format does not ask again, so
 * the second of two loads at once has a new one.
 */
const refusingLicenses = async (registry: TestRegistry): Promise<boolean> => {
  const { endpoints, credentials, tables } = registry.stack;
  const address = { endpoint: endpoints.aws, credentials };
  await putFormats(address, tables, { format: dataFormat + 1 });
  const load = () =>
    redeployWith(registry, {
      type: 'Custom::LicenseCatalogue',
      before: () => ({}),
    }).catch(String);
  const refusals = await Promise.all([load(), load()]);
  await putFormats(address, tables);
  return refusals.some((refusal) => /has data of format/.test(String(refusal)));
};

/** Loads the licenses with a changed policy and a license that SPDX renamed, so that the load puts and deletes rows. */
const loadingLicenses: Exercise = async (registry, name) => {
  const renamed = { kind: 'license', license_key: 'gpl-1.0', name: 'GPL-1.0', revision: 1 };
  const Item = { ...renamed, status: 'approved', category: 'copyleft', reviewed_at: null };
  const TableName = registry.stack.tables['LICENSES_TABLE'];
  if (TableName) await databaseOf(registry).send(new PutCommand({ TableName, Item }));
  const isRefused = await refusingLicenses(registry);
  const licenses = { MIT: Number(name.split('-')[1]) % 2 ? 'approved' : 'conditional' };
  try {
    await redeploy(registry, { ...policy, licenses });
    return [isRefused ? 200 : 500];
  } catch {
    return [500];
  }
};

/** Has a deployment refused that would loosen a setting of a production stack, which is not rolling back. */
const checkingDeployment: Exercise = async (registry) => {
  const settings = { environment: 'production', fourEyes: 'true' };
  const before = { settings, loosen: 'environment' };
  const refusal = await redeployWith(registry, { before: () => before }).catch(String);
  return [
    /environment from production to .*; fourEyes from true to false\. Tables/.test(String(refusal))
      ? 200
      : 500,
  ];
};

/** Has data without a format refused, and continues a migration that was interrupted in all tables. */
const migrating: Exercise = async (registry) => {
  const { endpoints, credentials, tables } = registry.stack;
  await Promise.all(
    tableIds.map((id) =>
      databaseOf(registry).send(
        new DeleteCommand({ TableName: tables[findTableDefinition(id).env], Key: formatKey(id) }),
      ),
    ),
  );
  const refusal = await redeploy(registry).catch(String);
  const interrupted = { format: dataFormat, upgrading_to: dataFormat };
  await putFormats({ endpoint: endpoints.aws, credentials }, tables, interrupted);
  const failure = await redeploy(registry).catch(String);
  const isRefused = /has data without the number .* Deploy with new tables$/.test(String(refusal));
  return [isRefused ? 200 : 500, failure ? 500 : 200];
};

/** Adds a head and a due row without a version, a version without its head, and an event with the wrong id. */
const damageReviews = async (registry: TestRegistry, name: string): Promise<void> => {
  const put = (table: string, item: object) =>
    databaseOf(registry).send(
      new PutCommand({ TableName: registry.stack.tables[table], Item: { ...item } }),
    );
  await put('REVIEWS_TABLE', { v: `npm#${name}#1.0.0`, k: 'head', evidence_revision: 1 });
  await put('REVIEWS_TABLE', { v: `npm#no-${name}#1.0.0`, k: 'head', evidence_revision: 1 });
  await put('REVIEWS_TABLE', { v: '#due', k: `2026-01-01T00:00:00.000Z#expiry#npm#${name}#1.0.0` });
  await put('REVIEWS_TABLE', { v: '#vulns#all', k: `000.0#CVE-${name}` });
  const listed = { v: `#vuln#CVE-${name}`, k: `npm#${name}#1.0.0`, status: 'pending' };
  await put('REVIEWS_TABLE', { ...listed, severity: 'high', score: null, not_affecting: null });
  const at = '2026-01-01T00:00:00.000Z';
  const record: RecordItem = {
    package_key: `npm#${name}`,
    decision_key: `0.0.1 ${at} ${name}`,
    moment: `${at} ${name}`,
    id: name,
    type: 'package.submitted',
    at,
    ...{ ecosystem: 'npm', name, version: '0.0.1' },
    ...{ by: null, from: null, to: 'pending', reason: null },
    ...{ token_label: null, token_fingerprint: null },
  };
  await put('DECISIONS_TABLE', record);
  await put('EVENTS_TABLE', { ...toEventItem(record, 1), id: 'of-another' });
  await put('EVENTS_TABLE', { p: `r#${name}`, s: '#note', sequence: 1 });
};

/** Damages data for each phase of the integrity check, and repairs it. */
const checkingIntegrity: Exercise = async (registry, name, osv, origin) => {
  await registry.submit({ ecosystem: 'npm', name: `${name}-beside`, version: '1.0.0' });
  const database = databaseOf(registry);
  const TableName = registry.stack.tables['CATALOGUE_TABLE'];
  const { Items } = await database.send(new ScanCommand({ TableName }));
  const row = Items?.find((item) => item['n'] === name && item['c']);
  const counter = Items?.find((item) => item['p'] === '#c');
  await database.send(new DeleteCommand({ TableName, Key: { p: row?.['p'], o: row?.['o'] } }));
  await database.send(new PutCommand({ TableName, Item: { ...row, p: 'nowhere' } }));
  await database.send(new PutCommand({ TableName, Item: { ...counter, A: 99 } }));
  // A counter in many shards, so that compaction removes some.
  await database.send(new PutCommand({ TableName, Item: { ...counter, o: '00000007', u: 1 } }));
  const PACKAGES = registry.stack.tables['PACKAGES_TABLE'];
  const sequences = { name_key: '#sequence', version_key: '#sequence' };
  await database.send(new PutCommand({ TableName: PACKAGES, Item: { ...sequences, count: 0 } }));
  // Two versions with one sequence number, a wrong version count of a name, and a count of a name without versions.
  const packages = await database.send(new ScanCommand({ TableName: PACKAGES }));
  const [one, other] = packages.Items?.filter(({ sequence }) => sequence) ?? [];
  const { sequence } = one ?? {};
  const counts = { name_key: other?.['name_key'], version_key: '#versions' };
  for (const Item of [
    { ...other, sequence },
    { ...counts, u: 1 },
    { ...counts, name_key: 'nobody', 'npm#nobody': 1, u: 1 },
  ]) {
    await database.send(new PutCommand({ TableName: PACKAGES, Item }));
  }
  await damageReviews(registry, name);
  await damageProjects(registry, name);
  await approveUnpinned(registry, `${name}-unpinned`, osv, origin);
  await invoking('check-integrity', { scheduled: true })(registry, name, osv, origin);
  return invoking('check-integrity', { repair: true })(registry, name, osv, origin);
};

/** Freezes the registry twice with one key, or lifts a freeze. The registry is not frozen afterwards. */
const freezing =
  (method: 'POST' | 'DELETE'): Exercise =>
  async (registry, name) => {
    const body = { before: '2026-01-01T00:00:00Z', reason: name };
    const frozen = await registry.post('/api/v1/freeze', body);
    const sent = { ...(method === 'POST' && { body }), headers: { 'Idempotency-Key': name } };
    const first = await registry.send(method, '/api/v1/freeze', sent);
    const second = await registry.send(method, '/api/v1/freeze', sent);
    const TableName = registry.stack.tables['REVIEWS_TABLE'];
    const Key = { v: '#freeze', k: 'freeze' };
    await databaseOf(registry).send(new DeleteCommand({ TableName, Key }));
    return [frozen.status, first.status, second.status];
  };

/** The exercise of each function. A missing one is a compile error. */
export const exercises: Readonly<Record<RegistryFunctionId, Exercise>> = {
  'show-service': async (registry) => [(await registry.get('/')).status],
  'show-caller': reading(() => '/api/v1/whoami', ['']),
  'list-packages': reading(
    () => '/api/v1/packages',
    ['?view=full', ...selections.filter((query) => !query.includes('version'))],
  ),
  'show-package': reading(packagePath),
  'list-versions': reading((name) => packagePath(name, '/versions')),
  'submit-package': submitting,
  'submit-packages': submittingMany,
  'decide-packages': decidingMany,
  'list-history': reading((name) => packagePath(name, '/history'), ['', '?version=1.0.0']),
  'list-expirations': reading(() => '/api/v1/expirations', ['']),
  'list-events': reading(() => '/api/v1/events', ['', '?last=1']),
  'show-statistics': reading(() => '/api/v1/statistics', ['']),
  'approve-package': approving,
  'reject-package': rejecting,
  'run-due-work': async (registry, name, osv, origin) => [
    ...(await expiring(registry, name, osv, origin)),
    ...(await endingAcceptance(registry, name, osv, origin)),
    ...(await continuingListing(registry, name, osv, origin)),
    ...(await foldingCounter(registry, name, osv, origin)),
    ...(await renewingEvidence(registry, name, osv, origin)),
  ],
  'migrate-data': migrating,
  'normalize-licenses': normalizing,
  'sequence-events': sequencing,
  'show-attestation': showingAttestation,
  'show-keys': reading(() => '/keys', ['']),
  'sign-decisions': signing,
  'list-scans': reading((name) => `/api/v1/security/scans/${name}/history`),
  'submit-scan': submittingScan,
  'forward-versions': forwarding,
  'scan-submissions': scanningSubmission,
  'rescan-packages': rescanning,
  'refresh-trusted-root': refreshingTrustedRoot,
  'recall-packages': recalling,
  'show-evidence': showingEvidence,
  'show-changes': showingChanges,
  'list-dependencies': listingDependencies,
  'collect-facts': collecting,
  'apply-policy': applyingPolicy,
  'preview-policy': previewingPolicy,
  'show-policy': reading(() => '/api/v1/policy', ['']),
  'run-policy': runningPolicy,
  'check-packages': checking,
  'show-scan': reading((name) => `/api/v1/security/scans/${name}`, [...selections, '?number=1']),
  'check-integrity': checkingIntegrity,
  'rotate-tokens': invoking('rotate-tokens', {}),
  'index-versions': indexing,
  'list-vulnerabilities': reading(() => '/api/v1/vulnerabilities', ['', '?severity=high']),
  'show-vulnerability': showingVulnerability,
  'list-reviews': async (registry, name, osv, origin) => {
    const Keys = { v: { S: `npm#${name}#1.0.0` } };
    const event = { Records: [{ dynamodb: { SequenceNumber: '1', Keys } }] };
    const queries = [
      '',
      '?issue=scan_failed&severity=high',
      '?batch=shop&status=all',
      '?ecosystem=npm&name=left-pad',
    ];
    return [
      ...(await invoking('index-versions', event)(registry, name, osv, origin)),
      ...(await reading(() => '/api/v1/reviews', queries)(registry, name, osv, origin)),
    ];
  },
  'summarize-reviews': async (registry, name, osv, origin) => {
    const Keys = { v: { S: `npm#${name}#1.0.0` } };
    const event = { Records: [{ dynamodb: { SequenceNumber: '1', Keys } }] };
    const path = '/api/v1/reviews/summary';
    return [
      ...(await invoking('index-versions', event)(registry, name, osv, origin)),
      ...(await reading(() => path, ['', '?batch=shop'])(registry, name, osv, origin)),
    ];
  },
  'list-batches': reading(() => '/api/v1/batches', ['']),
  'list-attention': reading(() => '/api/v1/attention', ['']),
  'list-recalls': reading(() => '/api/v1/recalls', ['']),
  'claim-review': claiming,
  'comment-package': commenting,
  'dismiss-scan': dismissing,
  'accept-vulnerability': accepting,
  'withdraw-acceptance': withdrawing,
  'list-licenses': reading(() => '/api/v1/licenses', ['', '?status=rejected', '?category=unknown']),
  'show-license': reading(() => '/api/v1/licenses/MIT', ['']),
  'list-license-versions': reading(() => '/api/v1/licenses/MIT/versions', ['', '?status=pending']),
  'set-license': settingLicense,
  'compare-licenses': reading(() => '/api/v1/licenses/MIT/compatibility/Acme', ['']),
  'check-deployment': checkingDeployment,
  'load-licenses': loadingLicenses,
  'show-openapi': readingPage('/openapi.json'),
  'show-console': readingPage('/console'),
  'show-console-file': async ({ url }) => {
    const page = await (await fetch(`${url}/console`)).text();
    const [, file = ''] = /src="\.\/([^"]+)"/.exec(page) ?? [];
    return [(await fetch(`${url}/${file}`)).status];
  },
  'show-docs': readingPage('/docs'),
  'admit-pod': admitting,
  'pin-images': pinning,
  'submit-requested': submittingRequested,
  'serve-npm': installing,
  'serve-pypi': installingPython,
  'serve-maven': building,
  'show-command-line': readingPage('/registry.mjs'),
  'list-held-recalls': reading(() => '/api/v1/held-recalls', ['']),
  'decide-held-recall': decidingHeld,
  'freeze-registry': freezing('POST'),
  'lift-freeze': freezing('DELETE'),
  'show-freeze': reading(() => '/api/v1/freeze', ['']),
  'record-snapshot': recording,
  'list-projects': listingProjects,
  'show-project': showingProject,
  'remove-project': removingProject,
  'list-package-projects': listingPackageProjects,
  'list-project-uses': listingProjectUses,
  'list-vulnerability-projects': listingVulnerabilityProjects,
  'replace-owner': replacingOwner,
};
