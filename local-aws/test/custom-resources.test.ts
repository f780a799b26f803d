import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { deployCustomResources } from '../src/stack/deploy-custom-resources.ts';
import { openDeployedProperties } from '../src/stack/resource-properties.ts';
import { model } from './fixture/model.ts';

interface Event {
  readonly RequestType: string;
  readonly RequestId: string;
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly LogicalResourceId: string;
  readonly PhysicalResourceId?: string;
  readonly ResourceProperties: Readonly<Record<string, unknown>>;
  readonly OldResourceProperties?: Readonly<Record<string, unknown>>;
}

const properties = { ServiceToken: 'arn', greeting: 'hello' };

const withOne = {
  ...model,
  customResources: {
    One: { id: 'One', type: 'Custom::One', functionId: 'Probe', properties },
  },
};

/** Returns a function with the given answers, and its events. */
const answering = (answer: (event: Event) => object | string | undefined) => {
  const events: Event[] = [];
  const invoke = async (_: string, given: unknown): Promise<void> => {
    const event = given as Event;
    events.push(event);
    const said = answer(event);
    if (said === undefined) return;
    const body = typeof said === 'string' ? said : JSON.stringify(said);
    await fetch(event.ResponseURL, { method: 'PUT', body });
  };
  return { events, invoke };
};

const success = ({ StackId, RequestId, LogicalResourceId }: Event) => ({
  Status: 'SUCCESS',
  PhysicalResourceId: 'one',
  StackId,
  RequestId,
  LogicalResourceId,
});

const deployed = await openDeployedProperties(undefined);

const folder = mkdtempSync(join(tmpdir(), 'custom-resources-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the local deployment of custom resources', () => {
  it('creates a resource, and updates it with the properties of the last success', async () => {
    const file = join(folder, 'custom-resources.json');
    const deploy = async (greeting: string, answer: Parameters<typeof answering>[0] = success) => {
      const { events, invoke } = answering(answer);
      const one = { ...withOne.customResources.One, properties: { ...properties, greeting } };
      const model = { ...withOne, customResources: { One: one } };
      const deployed = await openDeployedProperties(file);
      await deployCustomResources({ model, deployed, invoke }).catch(() => undefined);
      return events[0];
    };
    const failure = (event: Event) => ({ ...success(event), Status: 'FAILED' });

    const events = [await deploy('hello'), await deploy('bye', failure), await deploy('again')];

    expect(events).toEqual([
      expect.objectContaining({ RequestType: 'Create', ResourceProperties: properties }),
      expect.objectContaining({ RequestType: 'Update', OldResourceProperties: properties }),
      expect.objectContaining({ RequestType: 'Update', OldResourceProperties: properties }),
    ]);
    expect(events.map((event) => event?.PhysicalResourceId)).toEqual([undefined, 'One', 'One']);
    expect(events[2]?.ResourceProperties).toEqual({ ...properties, greeting: 'again' });
  });

  it.each([
    [
      'a failure',
      (event: Event) => ({ ...success(event), Status: 'FAILED', Reason: 'no luck' }),
      'the custom resource One failed: no luck',
    ],
    ['no answer', () => undefined, 'its function gave no answer'],
    ['an answer of another shape', () => ({ Status: 'FINE' }), 'its function answered'],
    ['what is no JSON', () => 'fine', 'its function answered fine'],
    [
      'an answer to another request',
      (event: Event) => ({ ...success(event), RequestId: 'x' }),
      'the answer is to another request',
    ],
  ])('fails on %s', async (_, answer, message) => {
    const { invoke } = answering(answer);

    const deployment = deployCustomResources({ model: withOne, deployed, invoke });

    await expect(deployment).rejects.toThrow(message);
  });

  /** Returns a function whose first invocations fail with their number, and its events. */
  const failing = (times: number) => {
    const { events, invoke } = answering(success);
    return {
      events,
      invoke: async (id: string, event: unknown): Promise<void> => {
        if (events.length >= times) return invoke(id, event);
        events.push(event as Event);
        throw new Error(`invocation ${events.length} timed out`);
      },
    };
  };

  it.each([1, 2])('repeats an invocation with its event if %i failed', async (times) => {
    const { events, invoke } = failing(times);

    await deployCustomResources({ model: withOne, deployed, invoke });

    expect(events).toHaveLength(times + 1);
    expect(new Set(events.map((event) => JSON.stringify(event))).size).toBe(1);
  });

  it('fails with the last error after three failed invocations', async () => {
    const { events, invoke } = failing(3);

    const deployment = deployCustomResources({ model: withOne, deployed, invoke });

    await expect(deployment).rejects.toThrow(
      'the custom resource One failed: invocation 3 timed out',
    );
    expect(events).toHaveLength(3);
  });

  it('invokes once if the answer is a failure', async () => {
    const { events, invoke } = answering((event) => ({ ...success(event), Status: 'FAILED' }));

    const deployment = deployCustomResources({ model: withOne, deployed, invoke });

    await expect(deployment).rejects.toThrow('for no stated reason');
    expect(events).toHaveLength(1);
  });
});
