import { describe, expect, it } from 'vitest';
import { deployCustomResources } from '../src/stack/deploy-custom-resources.ts';
import { model } from './fixture/model.ts';

interface Event {
  readonly RequestType: string;
  readonly RequestId: string;
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly LogicalResourceId: string;
  readonly PhysicalResourceId?: string;
  readonly ResourceProperties: Readonly<Record<string, unknown>>;
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

describe('the local deployment of custom resources', () => {
  it.each([
    [true, 'Create', undefined],
    [false, 'Update', 'One'],
  ])('of a stack that is new (%s) asks for %s', async (isNew, type, physicalId) => {
    const { events, invoke } = answering(success);

    await deployCustomResources({ model: withOne, isNew, invoke });

    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ RequestType: type, ResourceProperties: properties });
    expect(events[0]?.PhysicalResourceId).toBe(physicalId);
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

    const deployment = deployCustomResources({ model: withOne, isNew: true, invoke });

    await expect(deployment).rejects.toThrow(message);
  });

  it('fails when the function does', async () => {
    const invoke = (): Promise<never> => Promise.reject(new Error('timed out'));

    const deployment = deployCustomResources({ model: withOne, isNew: true, invoke });

    await expect(deployment).rejects.toThrow('the custom resource One failed: timed out');
  });
});
