import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { policyRunPartition } from '../../shared/api/resources.ts';
import type { ReviewPolicy } from '../../shared/api/schemas/policy.ts';
import { databaseOf } from '../support/database.ts';
import type { TestRegistry } from '../support/registry.ts';
import { type Exercise, invoking } from './exercise.ts';

/** Has the function read what it may: it asks for what is approved, and for the age. */
export const exercisedPolicy: ReviewPolicy = {
  rules: [
    {
      name: 'of-age',
      when: { ecosystems: ['npm'], minimum_age_days: 7, approved_major: false },
      then: 'approve',
      expires_in_days: 30,
    },
  ],
};

const dayMs = 24 * 60 * 60_000;

/** Has the origin say that the version is so old, as the worker would keep it. */
const publish = (registry: TestRegistry, name: string, days: number) =>
  databaseOf(registry).send(
    new UpdateCommand({
      TableName: registry.stack.tables['REVIEWS_TABLE'],
      Key: { v: `npm#${name}#1.0.0`, k: 'head' },
      UpdateExpression: 'SET facts = :facts ADD evidence_revision :one',
      ExpressionAttributeValues: {
        ':facts': {
          ...{ digest: name, found: 'yes', name_found: true, license: 'MIT' },
          ...{ deprecated: null, yanked: null, newest_version: null, install_scripts: false },
          published_at: new Date(Date.now() - days * dayMs).toISOString(),
          checked_at: registry.clock.at(0),
        },
        ':one': 1,
      },
    }),
  );

const scanning: Exercise = (registry, name, osv, origin) => {
  const body = JSON.stringify({ ecosystem: 'npm', name, version: '1.0.0' });
  const event = { Records: [{ messageId: name, body }] };
  return invoking('scan-submissions', event)(registry, name, osv, origin);
};

/** Is too young at first, then not quite so young, then old enough. */
export const applyingPolicy: Exercise = async (registry, name, osv, origin) => {
  const statuses = await scanning(registry, name, osv, origin);
  const Keys = { v: { S: `npm#${name}#1.0.0` }, k: { S: 'head' } };
  const event = { Records: [{ dynamodb: { SequenceNumber: '1', Keys } }] };
  for (const days of [2, 4, 10]) {
    await publish(registry, name, days);
    statuses.push(...(await invoking('apply-policy', event)(registry, name, osv, origin)));
  }
  await runningPolicy(registry, name, osv, origin);
  const runKeys = { v: { S: policyRunPartition }, k: { S: 'request' } };
  const run = { Records: [{ dynamodb: { SequenceNumber: '2', Keys: runKeys } }] };
  statuses.push(...(await invoking('apply-policy', run)(registry, name, osv, origin)));
  const { body } = await registry.get(`/api/v1/packages/${name}`);
  return [...statuses, body.approved_by === 'policy:of-age' ? 200 : 500];
};

export const runningPolicy: Exercise = async (registry) => {
  const { status, body } = await registry.post('/api/v1/policy/run');
  return [status, body.run.state === 'requested' ? 200 : 500];
};

export const previewingPolicy: Exercise = async (registry, name, osv, origin) => {
  const statuses = await scanning(registry, name, osv, origin);
  await publish(registry, name, 10);
  const { status, body } = await registry.post(
    '/api/v1/policy/preview?limit=1000',
    exercisedPolicy,
  );
  const isFound = body.results.some(
    (one: { name: string; decision: string | null }) =>
      one.name === name && one.decision === 'approve',
  );
  return [...statuses, status, isFound ? 200 : 500];
};

/** Asks about what is pending, and by that for what is approved. */
export const checking: Exercise = async (registry, name) => {
  const packages = [{ ecosystem: 'npm', name, version: '1.0.0' }, `pkg:npm/${name}@9.9.9`];
  const { status, body } = await registry.post('/api/v1/check', { packages });
  const statuses = body.packages.map((one: { status: string }) => one.status);
  return [status, statuses.join() === 'pending,unknown' ? 200 : 500];
};
