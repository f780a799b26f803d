import { request as httpRequest } from 'node:http';
import {
  type Exchange,
  type LocalStack,
  type StackModel,
  type StackOptions,
  startStack,
} from '@package-registry/local-aws';
import { inject } from 'vitest';
import { goWithout } from '../../infra/local/synthesis.ts';
import type { ReviewPolicy } from '../../shared/api/schemas/policy.ts';
import type { TrustedIssuers } from '../../shared/domain/identity/trusted-issuer.ts';
import { checkAnswer } from './answer-check.ts';
import { deployIssuers } from './deployed-issuers.ts';
import { deployPolicy } from './deployed-policy.ts';
import { seedFormats } from './formats.ts';
import type { FunctionClock } from './function-clocks.ts';
import { hangMs } from './hang.ts';
import { createNotes } from './seen-answers.ts';
import { partsFor, type StackParts } from './stack-parts.ts';
import { trustIssuers } from './trusted-issuers.ts';

/** A response of the registry, checked against the API document. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely; the document has been checked
  readonly body: any;
}

export interface SendOptions {
  readonly token?: string | undefined;
  /** Sent as JSON, unless it is text or bytes already. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface StartOptions extends Partial<StackOptions>, Omit<StackParts, 'policy'> {
  /** The accepted tokens, comma-separated; absent: none. */
  readonly tokens?: string;
  /** The clock of the functions, in place of the machine's clock; removed with the registry. */
  readonly clock?: FunctionClock;
  /** The issuers whose ID tokens are accepted; absent: none. */
  readonly issuers?: TrustedIssuers;
  /** The rules that decide automatically; absent: no rules. */
  readonly policy?: ReviewPolicy;
}

/** One line of the functions' logs. */
export type LogLine = Readonly<Record<string, unknown>>;

/** The registry's lines are JSON; the runtime's message about a function that cannot start is not. */
const parsedLine = (line: string): LogLine => {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { event: 'text', text: line };
  }
};

const note = createNotes(inject('seenAnswers'));

/** Checks every response in every test against the document, for any client. */
const checkAgainstDocument = (exchange: Exchange, faults: Error[]): void => {
  try {
    for (const seen of checkAnswer(exchange)) note(seen);
  } catch (error) {
    faults.push(error as Error);
  }
};

const encodeBody = (body: unknown): string | Uint8Array<ArrayBuffer> => {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? Uint8Array.from(body) : JSON.stringify(body);
};

/** A DynamoDB Local to use in place of the embedded engine. */
const { DYNAMODB_ENDPOINT: dynamodbEndpoint } = process.env;

interface Private {
  readonly faults: Error[];
  readonly removals: (() => void)[];
  readonly clock: FunctionClock | undefined;
}

/**
 * Returns the issuers that the project `accounts` adds to each registry with tokens: tokens work as without issuers. An empty list is
 * the documented difference, because it does not open such a registry.
 */
const findAddedIssuers = (tokens: string | undefined): TrustedIssuers | undefined =>
  process.env['TRUST_ISSUERS'] && tokens !== undefined && tokens.trim() !== ','
    ? trustIssuers('https://id.example.com', 'https://ci.example.com')
    : undefined;

/** A local registry from the synthesised template, with an empty database in memory. */
export class TestRegistry {
  readonly stack: LocalStack;
  readonly url: string;
  readonly logs: LogLine[];

  private readonly ownClock: FunctionClock | undefined;
  private readonly faults: Error[];
  private readonly removals: (() => void)[];

  private constructor(stack: LocalStack, logs: LogLine[], { faults, removals, clock }: Private) {
    this.removals = removals;
    this.ownClock = clock;
    this.stack = stack;
    this.url = stack.url;
    this.logs = logs;
    this.faults = faults;
  }

  static async start(options: StartOptions = {}): Promise<TestRegistry> {
    const logs: LogLine[] = [];
    const faults: Error[] = [];
    const removals: (() => void)[] = [];
    const { tokens, policy, clock, transform = (model) => model } = options;
    const issuers = options.issuers ?? findAddedIssuers(tokens);
    if (clock) removals.push(() => clock.remove());
    const timed = clock?.transform ?? ((model: StackModel) => model);
    const trusting = (model: StackModel): StackModel => {
      if (!issuers) return model;
      const { model: changed, remove } = deployIssuers(model, issuers);
      removals.push(remove);
      return changed;
    };
    const deployed = (model: StackModel): StackModel => {
      if (!policy) return model;
      const { model: changed, remove } = deployPolicy(model, policy);
      removals.push(remove);
      return changed;
    };
    const stack = await startStack({
      assembly: inject('assembly'),
      goWithout,
      port: 0,
      integrationTimeoutMs: 2 * hangMs,
      data: ':memory:',
      initialSecretValue: ',',
      ...(tokens !== undefined && { secretValue: tokens }),
      // Each test then has its own database there.
      ...(dynamodbEndpoint && { dynamodbEndpoint }),
      onLog: (_source, line) => {
        logs.push(parsedLine(line));
      },
      onAnswer: (exchange) => checkAgainstDocument(exchange, faults),
      ...options,
      seed: async (prepared) => {
        await seedFormats(prepared);
        await options.seed?.(prepared);
      },
      transform: (model) =>
        transform(
          timed(partsFor({ ...options, policy: policy !== undefined })(deployed(trusting(model)))),
        ),
    });
    return new TestRegistry(stack, logs, { faults, removals, clock });
  }

  /** The clock of its functions. @throws {Error} if they use the machine's clock */
  get clock(): FunctionClock {
    if (!this.ownClock) throw new Error('The registry was started without a clock');
    return this.ownClock;
  }

  async close(): Promise<void> {
    await this.stack.close();
    for (const remove of this.removals) remove();
    this.tellFault();
  }

  /** Fails the test after a response, to any client, that the document does not allow. */
  private tellFault(): void {
    const fault = this.faults.shift();
    if (fault) throw fault;
  }

  async send(method: string, path: string, options: SendOptions = {}): Promise<Answer> {
    const { token, body, headers } = options;
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(token !== undefined && { 'X-API-Key': token }),
        ...headers,
      },
      ...(body !== undefined && { body: encodeBody(body) }),
    });
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    this.tellFault();
    return answer;
  }

  get(path: string, options?: SendOptions): Promise<Answer> {
    return this.send('GET', path, options);
  }

  post(path: string, body?: unknown, options: SendOptions = {}): Promise<Answer> {
    return this.send('POST', path, { ...options, ...(body !== undefined && { body }) });
  }

  /** Submits and expects success. */
  async submit(
    submission: Readonly<Record<string, unknown>>,
    options?: SendOptions,
  ): Promise<Answer> {
    const answer = await this.post('/api/v1/packages', submission, options);
    if (answer.status !== 201) throw new Error(`Not submitted: ${JSON.stringify(answer.body)}`);
    return answer;
  }

  /** A request with header lines exactly as given, which fetch would not send. Resolves to the status. */
  sendRaw(method: string, path: string, headerLines: readonly string[]): Promise<number> {
    const { hostname, port } = new URL(this.url);
    return new Promise((resolve, reject) => {
      const sent = httpRequest(
        { hostname, port, method, path, headers: ['Host', `${hostname}:${port}`, ...headerLines] },
        (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode ?? 0));
        },
      );
      sent.on('error', reject);
      sent.end();
    });
  }
}

/** Returns the encoded path of a name's endpoint. */
export const packagePath = (name: string, suffix = ''): string =>
  `/api/v1/packages/${encodeURIComponent(name)}${suffix}`;
