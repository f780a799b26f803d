import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { databaseOf } from '../support/database.ts';
import { packagePath, type TestRegistry } from '../support/registry.ts';
import { type Exercise, invoking, reading } from './exercise.ts';

const keyOf = (name: string): string => `npm#${name}#1.0.0`;

/** Changes the head of a version, and has its origin be asked next when the head then says. */
const changeHead = async (
  { stack, ...registry }: TestRegistry,
  name: string,
  change: (head: Record<string, unknown>) => Record<string, unknown>,
): Promise<void> => {
  const database = databaseOf({ stack, ...registry } as TestRegistry);
  const TableName = stack.tables['REVIEWS_TABLE'];
  const v = keyOf(name);
  const { Item = {} } = await database.send(new GetCommand({ TableName, Key: { v, k: 'head' } }));
  const changed = { ...Item, ...change(Item) };
  const due_at = (changed as { asks_at?: string }).asks_at ?? '';
  const row = { v: '#due-facts', k: `${due_at}#${v}`, due_at };
  const Key = { v: row.v, k: `${Item['asks_at']}#${v}` };
  await database.send(new DeleteCommand({ TableName, Key }));
  await database.send(new PutCommand({ TableName, Item: changed }));
  const id = { ecosystem: 'npm', name, version: '1.0.0' };
  await database.send(new PutCommand({ TableName, Item: { ...row, ...id } }));
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

/** An approved version that its publisher deprecates. */
export const collecting: Exercise = async (registry, name, osv, origin) => {
  const body = JSON.stringify({ ecosystem: 'npm', name, version: '1.0.0' });
  const collect = invoking('collect-facts', { Records: [{ messageId: name, body }] });
  origin.serve(`/npm/${name}`, publish(name));
  const first = await collect(registry, name, osv, origin);
  await registry.post(packagePath(name, '/approve'));
  origin.serve(`/npm/${name}`, publish(name, { deprecated: 'use another one' }));
  const facts = { asked_at: '2026-01-01T00:00:00.000Z' };
  await changeHead(registry, name, (head) => ({ facts: { ...Object(head['facts']), ...facts } }));
  return [...first, ...(await collect(registry, name, osv, origin))];
};

export const showingEvidence: Exercise = async (registry, name, osv, origin) => {
  const body = JSON.stringify({ ecosystem: 'npm', name, version: '1.0.0' });
  origin.serve(`/npm/${name}`, publish(name));
  await invoking('collect-facts', { Records: [{ messageId: name, body }] })(
    registry,
    name,
    osv,
    origin,
  );
  return reading((one) => packagePath(one, '/evidence'))(registry, name, osv, origin);
};
