/** Answers of upstream registries, kept in a folder for later runs. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A request whose answer is kept. */
export interface Question {
  readonly url: string;
  readonly accept: string;
}

export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Statuses that are the same in each run. */
const lasting = [200, 404, 410];
const keptHeaders = ['content-type', 'etag', 'last-modified'];

const attempts = 3;
const answerMs = 60_000;

const askOnce = async ({ url, accept }: Question): Promise<KeptAnswer> => {
  const response = await fetch(url, {
    headers: { accept },
    signal: AbortSignal.timeout(answerMs),
  });
  const body = Buffer.from(await response.arrayBuffer());
  const { status } = response;
  if (!lasting.includes(status)) throw new Error(`${url} answered ${status}`);
  const headers = keptHeaders.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { status, headers: Object.fromEntries(headers), body };
};

const ask = async (question: Question): Promise<KeptAnswer> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await askOnce(question);
    } catch (error) {
      if (attempt === attempts) throw error;
    }
  }
};

const lineEnd = 10;

/** A line of JSON, and then the body. */
const encode = ({ body, ...head }: KeptAnswer): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]);

const decode = (bytes: Buffer): KeptAnswer => {
  const end = bytes.indexOf(lineEnd);
  return { ...JSON.parse(bytes.toString('utf8', 0, end)), body: bytes.subarray(end + 1) };
};

export interface KeptAnswers {
  /** Returns the kept answer, or else asks upstream and keeps the answer. */
  find(question: Question): Promise<KeptAnswer>;
}

export const openKeptAnswers = (folder: string): KeptAnswers => {
  mkdirSync(folder, { recursive: true });
  const toFile = ({ url, accept }: Question): string =>
    join(folder, createHash('sha256').update(`${accept} ${url}`).digest('hex'));
  return {
    find: async (question) => {
      const file = toFile(question);
      if (existsSync(file)) return decode(readFileSync(file));
      const answer = await ask(question);
      // An interrupted run leaves no part of an answer, and another run may ask the same.
      const part = `${file}.${process.pid}`;
      writeFileSync(part, encode(answer));
      renameSync(part, file);
      return answer;
    },
  };
};
