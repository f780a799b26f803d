import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import packageJson from '../../../package.json' with { type: 'json' };
import { serviceName } from '../../../shared/util/service-name.ts';
import { UsageError } from '../../input/usage-error.ts';
import { findCredential } from '../../session/credentials.ts';
import type { Session } from '../../session/session.ts';
import { type Permissions, writeInstructions } from './advice.ts';
import { addApprovedTool } from './approved-tool.ts';
import { addCheckTool } from './check-tool.ts';
import { addEvidenceTool } from './evidence-tool.ts';
import { addProjectTool } from './project-tool.ts';
import { quote } from './quote.ts';
import { addSubmitTool } from './submit-tool.ts';

const buildServer = (session: Session, permissions: Permissions): McpServer => {
  const { version } = packageJson;
  const server = new McpServer(
    { name: serviceName, title: 'Package registry', version },
    {
      instructions: writeInstructions(permissions),
      capabilities: { tools: { listChanged: false } },
    },
  );
  addApprovedTool(server, session, permissions);
  addCheckTool(server, session, permissions);
  addProjectTool(server, session, permissions);
  addEvidenceTool(server, session, permissions);
  if (permissions.submit) addSubmitTool(server, session);
  return server;
};

/**
 * Serves an agent over standard input and output, until standard input ends.
 * @throws {UsageError} if agents may submit, and there is no token
 */
export const serveAgents = (session: Session, permissions: Permissions): void => {
  const { settings, terminal } = session;
  if (permissions.submit && !findCredential(settings.credentials)) {
    throw new UsageError(
      '--allow-submit needs a token: set REGISTRY_TOKEN, or run registry login.',
    );
  }
  if (terminal.err.isTerminal) {
    terminal.err.write('Waiting for an agent on standard input; Ctrl-C ends it.\n');
  }
  serveStdio(() => buildServer(session, permissions), {
    onerror: ({ message }) => terminal.warn(`The agent sent an invalid message: ${quote(message)}`),
  });
};
