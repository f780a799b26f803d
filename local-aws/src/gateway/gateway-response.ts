/** Writes the gateway's own answers, customised by the template's `AWS::ApiGateway::GatewayResponse`s. */
import type { HttpAnswer } from '../http.ts';
import type { GatewayResponse } from '../template/model.ts';
import { type ContextVariables, substitute } from './context-variables.ts';
import type { RefusalError } from './refusal.ts';

const defaultTemplate = '{"message":$context.error.messageString}';

/** The response for a type, else the one for its class, else API Gateway's own. */
export const findResponse = (
  responses: Readonly<Record<string, GatewayResponse>>,
  { type, status }: RefusalError,
): GatewayResponse => {
  const classType = status >= 500 ? 'DEFAULT_5XX' : 'DEFAULT_4XX';
  return responses[type] ?? responses[classType] ?? { headers: {}, templates: {} };
};

/** A header's expression is a literal in single quotes, or a variable of the context. */
const evaluateHeader = (expression: string, variables: ContextVariables): string => {
  const literal = /^'(.*)'$/s.exec(expression)?.[1];
  return literal ?? String(variables[expression.replace('context.', '')] ?? '');
};

/** The refusal as HTTP. Templates know no logic: only `$context.name` is replaced. */
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
