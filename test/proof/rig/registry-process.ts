/** The local run as a separate process, with each function in its own process, so that the rig can kill it. */
import { startStack } from '@package-registry/local-aws';
import { goWithout } from '../../../infra/local/synthesis.ts';
import { partsFor } from '../../support/stack-parts.ts';
import type { RegistryMessage, RegistryOrder } from './local-run.ts';
import { createPart } from './seeds.ts';

const throttled = {
  status: 400,
  headers: { 'content-type': 'application/x-amz-json-1.1' },
  body: JSON.stringify({ __type: 'ThrottlingException', message: 'injected by the proof' }),
};

const tell = (message: RegistryMessage): void => void process.send?.(message);

const start = async (order: RegistryOrder): Promise<void> => {
  const { assembly, data, dynamodbEndpoint, secretValue, neighbours, canary, failedSecrets, seed } =
    order;
  const random = createPart(seed, 'secrets');
  const { url, endpoints } = await startStack({
    ...{ assembly, data, dynamodbEndpoint, secretValue, goWithout },
    port: 0,
    onLog: (_, line) => {
      if (line.includes(canary)) tell({ leak: line });
    },
    hooks: {
      onRequest: ({ service }) =>
        service === 'secretsmanager' && random.below(100) < failedSecrets ? throttled : undefined,
    },
    transform: partsFor({ ...neighbours, events: true, indexing: true }),
  });
  tell({ url, lambda: endpoints.lambda });
};

process.once('message', (order: RegistryOrder) => {
  start(order).catch((error: unknown) => {
    tell({ failure: String(error) });
    process.exit(1);
  });
});
