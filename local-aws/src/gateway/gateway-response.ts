/**
 * Writes the gateway's own error responses, customised by the template's `AWS::ApiGateway::GatewayResponse` resources.
 */
import type { HttpAnswer } from '../http.ts';
import type { GatewayResponse } from '../template/model.ts';
import { type ContextVariables, substitute } from './context-variables.ts';
import type { RefusalError } from './refusal.ts';

const defaultTemplate = '{"message":$context.error.messageString}';

/**
 * Returns the template's response for the type, else for its class (such as `DEFAULT_4XX`), else API Gateway's default.
 */
export const findResponse = (
  responses: Readonly<Record<string, GatewayResponse>>,
  { type, status }: RefusalError,
): GatewayResponse => {
  const classType = status >= 500 ? 'DEFAULT_5XX' : 'DEFAULT_4XX';
  return responses[type] ?? responses[classType] ?? { headers: {}, templates: {} };
};

/** Returns a header's value. The expression is a literal in single quotes or a context variable. */
const evaluateHeader = (expression: string, variables: ContextVariables): string => {
  const literal = /^'(.*)'$/s.exec(expression)?.[1];
  return literal ?? String(variables[expression.replace('context.', '')] ?? '');
};

/** Returns the refusal as an HTTP response. Body templates have no logic: only `$context.name` is replaced. */
export const writeRefusal = (
  refusal: RefusalError,
  response: GatewayResponse,
  variables: ContextVariables,
): HttpAnswer => {
  const headers = Object.entries(response.headers).map(([name, expression]) => [
    name.toLowerCase(),
    evaluateHeader(expression, variables),
  ]);
  const [firstTemplate] = Object.values(response.templates);
  const template = response.templates['application/json'] ?? firstTemplate ?? defaultTemplate;
  return {
    status: response.statusCode ?? refusal.status,
    headers: { 'content-type': 'application/json', ...Object.fromEntries(headers) },
    body: substitute(template, (name) => String(variables[name] ?? '')),
  };
};
