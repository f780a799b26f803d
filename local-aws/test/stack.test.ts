import { describe, expect, it } from 'vitest';
import type { StackModel } from '../src/template/model.ts';
import { act, putThing } from './fixture/client.ts';
import { listThings, useStacks } from './fixture/stacks.ts';

const stacks = useStacks();
const { start } = stacks;

/** Returns the model without any permissions of its roles. */
const withoutGrants = (model: StackModel): StackModel => ({ ...model, roles: {} });

describe('a stack', () => {
  it('answers through its function, in its role', async () => {
    const stack = await start();

    const written = await putThing(stack, 'a');
    const denied = await act(stack, {
      service: 'DYNAMODB',
      target: 'DynamoDB_20120810.Scan',
      body: { TableName: stack.tables['THINGS_TABLE'] },
    });

    expect(written.status).toBe(200);
    expect(denied).toMatchObject({
      status: 400,
      body: { Message: expect.stringContaining('dynamodb:Scan') },
    });
    expect(await listThings(stack)).toEqual(['a']);
  });

  it('gives a function its secret', async () => {
    const stack = await start({ secretValue: 'one,two' });
    const { id, arn } = Object.values(stack.model.secrets)[0] ?? { id: '', arn: '' };
    const read = () =>
      act(stack, {
        service: 'SECRETS_MANAGER',
        target: 'secretsmanager.GetSecretValue',
        body: { SecretId: arn },
      });

    const before = await read();
    await stack.secrets.put(id, 'three');
    const after = await read();

    expect([before.body.SecretString, after.body.SecretString]).toEqual(['one,two', 'three']);
    expect(await stack.secrets.get(id)).toBe('three');
  });

  it('logs what the gateway refuses, with the id that the client got', async () => {
    const stack = await start();

    const response = await fetch(`${stack.url}/nothing`);

    expect(response.status).toBe(404);
    expect(JSON.parse(stacks.log[0] ?? '')).toEqual({
      path: '/nothing',
      status: '404',
      type: 'MISSING_AUTHENTICATION_TOKEN',
      id: response.headers.get('x-amzn-requestid'),
    });
  });

  it('may be changed before it starts', async () => {
    const stack = await start({ transform: withoutGrants });

    expect(await putThing(stack, 'a')).toMatchObject({ status: 400 });
  });

  it('fails like API Gateway where a function crashes', async () => {
    const stack = await start();

    const response = await fetch(`${stack.url}/act`, {
      method: 'POST',
      body: JSON.stringify({ misbehave: 'exit' }),
    });

    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: 'Internal server error' });
  });

  it('runs beside another one with data of its own', async () => {
    const [left, right] = await Promise.all([start(), start()]);

    await Promise.all([putThing(left, 'left'), putThing(right, 'right')]);

    expect(left.url).not.toBe(right.url);
    expect(await listThings(left)).toEqual(['left']);
    expect(await listThings(right)).toEqual(['right']);
  });

  it('uses the engine that it is given, with the tables that are there', async () => {
    const other = await start();
    const stack = await start({ dynamodbEndpoint: other.endpoints.dynamodb });

    await putThing(stack, 'shared');

    expect(await listThings(other)).toEqual(['shared']);
  });
});

describe('a port in use', () => {
  it('is refused in one line, and leaves nothing running', async () => {
    const { url } = await start();
    const { port } = new URL(url);

    const refused = start({ data: stacks.directory, port: Number(port) });

    await expect(refused).rejects.toThrow(`port ${port} is in use by another program`);
    await start({ data: stacks.directory });
  });
});
