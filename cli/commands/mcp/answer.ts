import type { CallToolResult } from '@modelcontextprotocol/server';
import { RequestError } from '../../../shared/api/client/client.ts';
import { describeRequestFailure } from '../../failure/request-failure.ts';
import type { Session } from '../../session/session.ts';
import { clean } from './quote.ts';

const longestFailure = 4000;

/** Returns an answer as text for models, and as structured content for programs. */
export const toAnswer = (
  lines: readonly string[],
  structuredContent: Readonly<Record<string, unknown>>,
): CallToolResult => ({
  content: [{ type: 'text', text: lines.join('\n') }],
  structuredContent,
});

const describeFailure = (error: unknown, { settings }: Session): string => {
  if (error instanceof RequestError) return describeRequestFailure(error, settings).join('\n');
  return error instanceof Error ? error.message : String(error);
};

/** Runs a tool. A failure becomes an answer to the model, with the message of the command line, and the server goes on. */
export const answerOrExplain = async (
  session: Session,
  work: () => Promise<CallToolResult>,
): Promise<CallToolResult> => {
  try {
    return await work();
  } catch (error) {
    const text = clean(describeFailure(error, session), longestFailure);
    return { content: [{ type: 'text', text }], isError: true };
  }
};
