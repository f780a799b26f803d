import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { databaseOf } from '../support/database.ts';
import { packagePath, type TestRegistry } from '../support/registry.ts';
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
  const due_at = changed['asks_at'];
  const toRowKey = (at: unknown) => ({ v: '#due-facts', k: `${at}#${v}` });
  await database.send(new DeleteCommand({ TableName, Key: toRowKey(Item['asks_at']) }));
  await database.send(new PutCommand({ TableName, Item: changed }));
  const row = { ...toRowKey(due_at), due_at, ecosystem: 'npm', name, version: '1.0.0' };
  await database.send(new PutCommand({ TableName, Item: row }));
};

/** Has the origin of a version be asked by the clock, which is long behind with it. */
export const makeAskingDue = (registry: TestRegistry, name: string): Promise<void> =>
  changeHead(registry, name, () => ({ asks_at: '2026-01-01T00:00:00.000Z' }));

const publish = (name: string, more: object = {}) => ({
  body: {
    name,
    'dist-tags': { latest: '1.0.0' },
    versions: { '1.0.0': { name, version: '1.0.0', license: 'MIT', ...more } },
  },
});

/** Has the origin of a version be asked, as its message does. */
const collect: Exercise = (registry, name, osv, origin) => {
  const body = JSON.stringify({ ecosystem: 'npm', name, version: '1.0.0' });
  const event = { Records: [{ messageId: name, body }] };
  return invoking('collect-facts', event)(registry, name, osv, origin);
};

/** An approved version that its publisher deprecates. */
export const collecting: Exercise = async (registry, name, osv, origin) => {
  origin.serve(`/npm/${name}`, publish(name));
  const first = await collect(registry, name, osv, origin);
  await registry.post(packagePath(name, '/approve'));
  origin.serve(`/npm/${name}`, publish(name, { deprecated: 'use another one' }));
  const facts = { asked_at: '2026-01-01T00:00:00.000Z' };
  await changeHead(registry, name, (head) => ({ facts: { ...Object(head['facts']), ...facts } }));
  return [...first, ...(await collect(registry, name, osv, origin))];
};

export const showingEvidence: Exercise = async (registry, name, osv, origin) => {
  origin.serve(`/npm/${name}`, publish(name));
  await collect(registry, name, osv, origin);
  return reading((one) => packagePath(one, '/evidence'))(registry, name, osv, origin);
};
