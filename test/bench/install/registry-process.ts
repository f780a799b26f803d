/** Process of the registry that is measured: the stack of `npm start`, which counts its requests and read units. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type StackModel, startStack } from '@package-registry/local-aws';
import { goWithout, synthesiseRegistry } from '../../../infra/local/synthesis.ts';
import { pages } from '../../../shared/api/non-api-routes.ts';
import { functionOf } from '../../support/functions.ts';
import type { FromRegistry } from './registry.ts';

/** Requests and read units since the last question, and all calls of DynamoDB by any function. */
const counted = { requests: 0, readUnits: 0, calls: 0 };

const workerSeconds = 600;

const capacity = /"CapacityUnits":([\d.]+)/g;

const readUnits = (body: string): number =>
  [...body.matchAll(capacity)].reduce((sum, [, units]) => sum + Number(units), 0);

const isWrite = (operation: string): boolean => /Write|Put|Update|Delete/.test(operation);

const say = (message: FromRegistry): void => {
  process.send?.(message);
};

const folder = mkdtempSync(join(tmpdir(), 'bench-registry-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const project = join(import.meta.dirname, '../../..');
const assembly = join(folder, 'assembly');
await synthesiseRegistry(
  { project, assembly, environment: process.env },
  JSON.parse(process.argv[2] ?? '{}'),
);
/**
 * Raises the time limit of workers: a busy machine is slow, and the queue returns the messages of an ended worker only
 * after 12 minutes.
 */
const giveWorkersTime = (model: StackModel): StackModel => {
  const routed = new Set(model.api.routes.map(({ functionId }) => functionId));
  const functions = Object.values(model.functions).map((one) => [
    one.id,
    routed.has(one.id) ? one : { ...one, timeoutSeconds: workerSeconds },
  ]);
  return { ...model, functions: Object.fromEntries(functions) };
};

/** Logical ids of the gate's functions, known after the start. */
let gates: ReadonlySet<string> = new Set();

const stack = await startStack({
  assembly,
  goWithout,
  port: 0,
  data: join(folder, 'data'),
  prefersRequests: true,
  transform: giveWorkersTime,
  initialSecretValue: ',',
  onLog: (_source, line, output) => {
    if (output === 'stderr' && process.connected) process.stderr.write(`${line}\n`);
  },
  onAnswer: () => {
    counted.requests += 1;
  },
  onFailure: (error) => {
    throw error;
  },
  hooks: {
    onResponse: ({ functionId, operation }, { body }) => {
      counted.calls += 1;
      if (gates.has(functionId) && !isWrite(operation)) counted.readUnits += readUnits(body);
    },
  },
});

gates = new Set(
  [pages.serveNpm, pages.servePypi, pages.serveMaven].map(
    ({ id }) => functionOf(stack.model, id).id,
  ),
);
process.on('message', () => {
  say({ ...counted });
  Object.assign(counted, { requests: 0, readUnits: 0, calls: 0 });
});
process.once('disconnect', async () => {
  await stack.close();
  process.exit();
});
say({ url: stack.url });
