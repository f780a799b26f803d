import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { CommandLine } from './command-line.ts';

/** An agent that uses `registry mcp` through the SDK of the protocol. */
export interface Agent {
  readonly client: Client;
  /** Calls a tool; the result also has the text of its answer. */
  readonly call: (
    name: string,
    input: Readonly<Record<string, unknown>>,
    options?: { readonly signal?: AbortSignal },
  ) => Promise<ToolAnswer>;
  /** The server's standard error, after the agent has disconnected. */
  readonly hangUp: () => Promise<string>;
}

export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely; the SDK has checked them
  readonly structured: any;
}

export interface AgentOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly client?: ClientOptions;
}

/** Starts the server as agents do, and initializes the session. */
export const startAgent = async (
  { bundle, environment, folder }: CommandLine,
  { args = [], env, cwd = folder, client: options }: AgentOptions = {},
): Promise<Agent> => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bundle, 'mcp', ...args],
    env: { ...environment, ...env },
    cwd,
    stderr: 'pipe',
  });
  const { stderr } = transport;
  const complaints = stderr instanceof Readable ? text(stderr) : '';
  const client = new Client({ name: 'a-coding-agent', version: '1.0.0' }, options);
  await client.connect(transport);
  return {
    client,
    call: async (name, input, { signal } = {}) => {
      const answer = await client.callTool(
        { name, arguments: { ...input } },
        { ...(signal && { signal }) },
      );
      const parts = answer.content.flatMap((part) => (part.type === 'text' ? part.text : []));
      return {
        isError: answer.isError === true,
        text: parts.join('\n'),
        structured: answer.structuredContent,
      };
    },
    hangUp: async () => {
      await client.close();
      return complaints;
    },
  };
};

/** The server without the SDK: lines as input, and the output until the server exits. */
export const talkRaw = async (
  commandLine: CommandLine,
  lines: readonly string[],
  { args = [], env = {} }: Pick<AgentOptions, 'args' | 'env'>,
) => {
  const child = commandLine.start(['mcp', ...args], { env });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (some: string) => {
    output += some;
  });
  const complaints = text(child.stderr);
  const ended = once(child, 'close');
  child.stdin.write(lines.map((line) => `${line}\n`).join(''));
  return {
    /** The output so far. */
    output: () => output,
    hangUp: async () => {
      child.stdin.end();
      const [code] = await ended;
      return {
        code: code as number | null,
        stdout: output,
        stderr: await complaints,
      };
    },
  };
};
