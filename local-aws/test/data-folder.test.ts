import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PreparedStack } from '../src/stack/prepared-stack.ts';
import type { LocalStack, StackOptions } from '../src/stack/start-stack.ts';
import { StartError } from '../src/start-error.ts';
import type { StackModel } from '../src/template/model.ts';
import { putThing } from './fixture/client.ts';
import { listThings, seedThing, useStacks } from './fixture/stacks.ts';

const stacks = useStacks();
const { start } = stacks;

describe('a data folder', () => {
  const restart = async (options: Partial<StackOptions> = {}): Promise<LocalStack> => {
    await stacks.running.pop()?.close();
    return start({ data: stacks.directory, ...options });
  };

  it('keeps tables and secrets', async () => {
    const first = await start({ data: stacks.directory, secretValue: 'kept' });
    await putThing(first, 'kept');

    const second = await restart();

    const [id = ''] = Object.keys(second.model.secrets);
    expect(await listThings(second)).toEqual(['kept']);
    expect(await second.secrets.get(id)).toBe('kept');
  });

  it('starts secrets with the value that is given for those without one', async () => {
    const stack = await start({ data: stacks.directory, initialSecretValue: ',' });

    const [id = ''] = Object.keys(stack.model.secrets);
    expect(await stack.secrets.get(id)).toBe(',');
  });

  it('is filled once', async () => {
    let seeds = 0;
    const seed = async (stack: PreparedStack): Promise<void> => {
      seeds += 1;
      await seedThing(stack, 'seed');
    };

    await start({ data: stacks.directory, seed });
    const again = await restart({ seed });

    expect(seeds).toBe(1);
    expect(await listThings(again)).toEqual(['seed']);
  });

  it('is filled anew after a first start that failed half-way', async () => {
    const seed = async (stack: PreparedStack): Promise<void> => {
      await seedThing(stack, 'half');
      throw new Error('cut short');
    };
    await expect(start({ data: stacks.directory, seed })).rejects.toThrow('cut short');

    const stack = await start({ data: stacks.directory });

    expect(await listThings(stack)).toEqual([]);
  });

  it('serves one stack at a time', async () => {
    await start({ data: stacks.directory });

    await expect(start({ data: stacks.directory })).rejects.toThrow(
      /is in use by another running instance$/,
    );
  });

  const addIndex = (model: StackModel): StackModel => ({
    ...model,
    tables: Object.fromEntries(
      Object.entries(model.tables).map(([id, table]) => [id, { ...table, localIndexes: [] }]),
    ),
  });
  const removeStream = (model: StackModel): StackModel => ({
    ...model,
    tables: Object.fromEntries(
      Object.entries(model.tables).map(([id, { streamViewType: _, ...table }]) => [id, table]),
    ),
  });
  const rename = (model: StackModel): StackModel => ({
    ...model,
    tables: Object.fromEntries(
      Object.entries(model.tables).map(([id, table]) => [id, { ...table, name: 'Renamed' }]),
    ),
  });

  it.each([
    ['other indexes', addIndex, 'has other keys, indexes or stream'],
    ['no stream', removeStream, 'has other keys, indexes or stream'],
    ['other tables', rename, "is not one of this version's"],
  ])('of a version with %s is refused in one line', async (_, transform, why) => {
    await start({ data: stacks.directory });

    const refused = restart({ transform });

    await expect(refused).rejects.toThrow(why);
    await expect(refused).rejects.toThrow(/^[^\n]*delete it to start anew[^\n]*$/);
  });

  const formatFile = (): string => join(stacks.directory, 'format');
  const startWithFormat = async (format: string | undefined): Promise<unknown> => {
    if (format === undefined) rmSync(formatFile());
    else writeFileSync(formatFile(), format);
    return restart().catch((error: unknown) => error);
  };

  it('gets the number of its format at the first start', async () => {
    await start({ data: stacks.directory });

    expect(readFileSync(formatFile(), 'utf8')).toBe('1\n');
  });

  it.each([
    ['another format', '2\n', 'the format 2'],
    ['an unreadable format', 'one', 'the format one'],
    ['data and no format', undefined, 'the format none'],
  ])('with %s is refused with what to do, and stays as it is', async (_, format, named) => {
    const first = await start({ data: stacks.directory });
    await putThing(first, 'kept');

    const refusal = await startWithFormat(format);

    expect(refusal).toBeInstanceOf(StartError);
    expect(String(refusal)).toMatch(
      new RegExp(
        `the data folder ${stacks.directory} has ${named}, and this release knows format 1: start the release that wrote it, or choose another folder$`,
      ),
    );
    expect(existsSync(formatFile())).toBe(format !== undefined);
    const again = await startWithFormat('1');
    expect(await listThings(again as LocalStack)).toEqual(['kept']);
  });

  it('of a first start that was cut short is filled anew in the format of this release', async () => {
    const seed = (): Promise<never> => Promise.reject(new Error('cut short'));
    await expect(start({ data: stacks.directory, seed })).rejects.toThrow('cut short');

    const stack = await startWithFormat('2');

    expect(await listThings(stack as LocalStack)).toEqual([]);
    expect(readFileSync(formatFile(), 'utf8')).toBe('1\n');
  });
});
