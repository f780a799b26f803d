/** The registry of a replay: the real functions in this process, on the real engine, at a simulated time. */
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createGateway,
  readStack,
  type StackModel,
  type StreamsApi,
  startSecret,
} from '@package-registry/local-aws';
import { parseSettings } from '../../../infra/config.ts';
import { goWithout } from '../../../infra/local/synthesis.ts';
import { pages } from '../../../shared/api/non-api-routes.ts';
import {
  imageRegistriesFile,
  type QueueId,
  queues,
  reviewPolicyFile,
  settingVariables,
  tokensEnv,
} from '../../../shared/api/resources.ts';
import * as routes from '../../../shared/api/routes.ts';
import { findPreset } from '../../../shared/domain/policy/presets.ts';
import { type Ecosystem, ecosystems } from '../../../shared/ecosystems/ecosystem.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import { reviewStateKey } from '../../../shared/storage/reviews/review-state.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { makeFastFolder } from '../../support/fast-folder.ts';
import { functionOf } from '../../support/functions.ts';
import { pointSecretsAt } from '../../support/secrets.ts';
import { partsFor } from '../../support/stack-parts.ts';
import { type FakeWorld, startFakeWorld, toMavenPath, toWheel } from './fake-world.ts';

type StreamRecord = Awaited<ReturnType<StreamsApi['records']>>['Records'][number];
type Handler = (event: unknown, context: object) => Promise<unknown>;

const endpoints = [
  ...[routes.submitPackage, routes.approvePackage, routes.setLicense, routes.showPackage],
  ...[pages.serveNpm, pages.servePypi, pages.serveMaven],
].map(({ id }) => id);

const workers = [
  ...(['forward-versions', 'collect-facts', 'scan-submissions', 'apply-policy'] as const),
  ...(['run-due-work', 'rescan-packages', 'recall-packages'] as const),
];
type Worker = (typeof workers)[number];

/** Time of an invocation in Lambda, in milliseconds. */
const functionMs = 300_000;

const makeContext = () => {
  const end = performance.now() + functionMs;
  return {
    ...{ awsRequestId: randomUUID(), functionName: 'replay' },
    getRemainingTimeInMillis: () => end - performance.now(),
  };
};

const loadHandler = async (id: string): Promise<Handler> =>
  ((await import(`../../../functions/${id}.ts`)) as { readonly handler: Handler }).handler;

const preset = 'balanced';

/** Sets the environment of all functions together, and the policy in a file. Returns the file's folder. */
const setEnvironment = (model: StackModel, world: FakeWorld): string => {
  for (const { environment } of Object.values(model.functions)) {
    Object.assign(process.env, environment);
  }
  for (const id of Object.keys(queues) as QueueId[]) {
    process.env[queues[id].env] = `${world.url}/queues/${id}`;
  }
  process.env['AWS_ENDPOINT_URL_SQS'] = world.url;
  const folder = makeFastFolder('replay-');
  writeFileSync(join(folder, reviewPolicyFile), JSON.stringify(findPreset(preset)));
  writeFileSync(join(folder, imageRegistriesFile), JSON.stringify({ registries: [] }));
  const { minimumAgeDays, blockingIssues } = parseSettings({ reviewPolicy: preset });
  process.env[settingVariables.minimumAgeDays] = String(minimumAgeDays);
  process.env[settingVariables.blockingIssues] = blockingIssues;
  process.env['LAMBDA_TASK_ROOT'] = folder;
  return folder;
};

/** Path of a file of a version at the dependency firewall. */
const toFilePath = (ecosystem: Ecosystem, name: string, version: string): string => {
  const paths: Partial<Record<Ecosystem, string>> = {
    npm: `/npm/${name}/-/${name.slice(name.indexOf('/') + 1)}-${version}.tgz`,
    pypi: `/pypi/files/${name}/${version}/${toWheel({ name, version })}`,
    maven: `/maven/${toMavenPath({ name, version })}.jar`,
  };
  return paths[ecosystem] ?? '';
};

const isNewVersion = ({ eventName, dynamodb: { NewImage = {} } }: StreamRecord): boolean => {
  const { S } = (NewImage['ecosystem'] ?? {}) as { readonly S?: string };
  return eventName === 'INSERT' && ecosystems.some((one) => one === S);
};

/** Reads the records of a stream since the last call. */
const openStream = async ({ streams }: TestEngine, table: string) => {
  const arn = await streams.findStream(table);
  const shards = await streams.listShards(arn);
  const positions = await Promise.all(shards.map(({ ShardId }) => streams.iterator(arn, ShardId)));
  return async (): Promise<StreamRecord[]> => {
    const found: StreamRecord[] = [];
    for (const [at, position] of positions.entries()) {
      const { Records, NextShardIterator } = await streams.records(position, 1000);
      found.push(...Records);
      positions[at] = NextShardIterator ?? position;
    }
    return found;
  };
};

const isReviewState = ({ dynamodb: { Keys } }: StreamRecord): boolean =>
  (Keys['k'] as { readonly S?: string }).S === reviewStateKey;

/** True if a review state got another status. */
const isDecision = ({ dynamodb: { OldImage, NewImage } }: StreamRecord): boolean => {
  const [before, after] = [OldImage, NewImage].map((image) => JSON.stringify(image?.['status']));
  return after !== undefined && before !== after;
};

/** Counts the calls that write, so that a replay skips looks for changes after none. */
const countWrites = (): { readonly count: () => number } => {
  let count = 0;
  dynamodb.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        if (!/^(?:Get|BatchGet|Query|Scan)/.test(commandName)) count += 1;
        return next(args);
      },
    { step: 'initialize', name: 'countWrites' },
  );
  return { count: () => count };
};

/** Registry of one team, with an empty database. */
export interface SimulatedRegistry {
  /** Sends a request through the gateway. Resolves to the status and the JSON body. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several routes
  send(method: string, path: string, body?: object): Promise<{ status: number; body: any }>;
  /** True if the dependency firewall serves a file of the version to a new request. */
  isServed(name: string, version: string): Promise<boolean>;
  invoke(worker: Worker): Promise<void>;
  /** Number of the writes so far. */
  writes(): number;
  /** Runs what queues and streams start, until they are empty. Resolves to true if a version got another status. */
  settle(): Promise<boolean>;
  close(): Promise<void>;
}

/** The functions of a registry in this process; they serve one team after another. */
export interface ReplayRig {
  readonly world: FakeWorld;
  startRegistry(): Promise<SimulatedRegistry>;
  close(): Promise<void>;
}

/** Loads the functions. Only one rig per process: functions read their settings once. */
export const startReplayRig = async (assembly: string): Promise<ReplayRig> => {
  const world = await startFakeWorld();
  const parts = partsFor({ osvUrl: world.url, originUrl: world.url, policy: true });
  const model = parts(readStack(assembly, { goWithout }));
  const folder = setEnvironment(model, world);
  const secret = await startSecret(',');
  process.env[tokensEnv] = secret.arn;
  pointSecretsAt(secret.endpoint);
  const load = async (ids: readonly string[]) =>
    new Map(await Promise.all(ids.map(async (id) => [id, await loadHandler(id)] as const)));
  const running = await load(workers);
  const byFunction = new Map(
    [...(await load(endpoints))].map(([id, handler]) => [functionOf(model, id).id, handler]),
  );
  const { count: writes } = countWrites();
  const answer = createGateway({
    api: model.api,
    invoke: async (functionId, event) => byFunction.get(functionId)?.(event, makeContext()),
    integrationTimeoutMs: functionMs,
    onAccessLog: () => undefined,
  });

  const startRegistry = async (): Promise<SimulatedRegistry> => {
    const engine = await startEngine();
    let settledAt = -1;
    const readPackages = await openStream(engine, 'packages');
    const readReviews = await openStream(engine, 'reviews');
    const invoke = async (worker: Worker, event: unknown = {}): Promise<void> => {
      await running.get(worker)?.(event, makeContext());
    };
    const deliver = async (queue: QueueId, worker: Worker): Promise<void> => {
      const messages = world.queued.filter((one) => one.queue === queue);
      if (messages.length === 0) return;
      const kept = world.queued.filter((one) => one.queue !== queue);
      world.queued.splice(0, world.queued.length, ...kept);
      const Records = messages.map(({ body }, at) => ({ messageId: String(at), body }));
      await invoke(worker, { Records });
    };

    const settleOnce = async (): Promise<boolean> => {
      const submitted = (await readPackages()).filter(isNewVersion);
      if (submitted.length > 0) await invoke('forward-versions', { Records: submitted });
      await deliver('facts', 'collect-facts');
      await deliver('scan', 'scan-submissions');
      const changed = (await readReviews()).filter(isReviewState);
      if (changed.length > 0) await invoke('apply-policy', { Records: changed });
      return changed.some(isDecision);
    };

    const ask = (method: string, target: string, body?: object) =>
      answer({
        ...{ method, target },
        rawHeaders: ['Host', 'localhost', ...(body ? ['Content-Type', 'application/json'] : [])],
        body: Buffer.from(body ? JSON.stringify(body) : ''),
      });

    return {
      invoke,
      send: async (method, path, body) => {
        const { status, body: bytes } = await ask(method, path, body);
        return { status, body: JSON.parse(bytes.toString()) };
      },
      isServed: async (name, version) => {
        const { ecosystem } = world.content;
        const { status } = await ask('GET', toFilePath(ecosystem, name, version));
        return status === 302;
      },
      writes,
      settle: async () => {
        let hasDecided = false;
        for (;;) {
          if (writes() === settledAt && world.queued.length === 0) return hasDecided;
          settledAt = writes();
          hasDecided = (await settleOnce()) || hasDecided;
        }
      },
      close: () => engine.close(),
    };
  };

  return {
    world,
    startRegistry,
    close: async () => {
      await world.close();
      await secret.close();
      rmSync(folder, { recursive: true });
    },
  };
};
