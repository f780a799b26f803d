import type { LambdaFunction, Route, StackModel } from 'local-aws';
import type { SendOptions, TestRegistry } from './registry.ts';

/** A copy of one function that lacks one variable of its environment, beside the function itself. */
interface Variant {
  readonly lambda: LambdaFunction;
  readonly variable: string;
}

const nameOf = ({ lambda, variable }: Variant): string => `${lambda.id}Without${variable}`;

const prefixOf = (variant: Variant): string => `/${nameOf(variant)}`;

/** The path that a variant of a function answers, without what stands for the variant. */
export const dropVariant = (path: string): string => path.replace(/^\/\w+Without\w+(?=\/|$)/, '');

const copyOf = (variant: Variant): LambdaFunction => {
  const { [variant.variable]: _, ...environment } = variant.lambda.environment;
  return { ...variant.lambda, id: nameOf(variant), name: nameOf(variant), environment };
};

const routesOf = (variant: Variant, routes: readonly Route[]): Route[] =>
  routes
    .filter(({ functionId }) => functionId === variant.lambda.id)
    .map((route) => ({
      ...route,
      id: `${route.id}${nameOf(variant)}`,
      path: `${prefixOf(variant)}${route.path}`.replace(/\/$/, ''),
      functionId: nameOf(variant),
    }));

/** Every function once more for each variable of its environment, without that variable. One stack then shows all of them. */
export const withVariants = (model: StackModel): StackModel => {
  const variants = Object.values(model.functions).flatMap((lambda) =>
    Object.keys(lambda.environment).map((variable) => ({ lambda, variable })),
  );
  const copies = variants.map(copyOf).map((copy) => [copy.id, copy] as const);
  const { routes } = model.api;
  return {
    ...model,
    functions: { ...model.functions, ...Object.fromEntries(copies) },
    api: {
      ...model.api,
      routes: [...routes, ...variants.flatMap((variant) => routesOf(variant, routes))],
    },
  };
};

const matches = (route: Route, method: string, path: string): boolean => {
  const pattern = route.path.replace(/\{[^}]+\}/g, '[^/]+');
  const isMethod = route.method === 'ANY' || route.method === method;
  return isMethod && new RegExp(`^${pattern}/?$`).test(path.split('?')[0] ?? '');
};

/** The same registry, but whatever the function would answer or do, its copy without the variable does. */
export const usingVariant = (registry: TestRegistry, variant: Variant): TestRegistry => {
  const { stack } = registry;
  const ours = stack.model.api.routes.filter(
    ({ functionId, path }) => functionId === variant.lambda.id && path !== '',
  );
  const send = async (method: string, path: string, options: SendOptions = {}) => {
    if (!ours.some((route) => matches(route, method, path))) {
      return registry.send(method, path, options);
    }
    const response = await fetch(`${registry.url}${prefixOf(variant)}${path}`, {
      method,
      headers: {
        ...(options.body !== undefined && { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    });
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  const invoke = (id: string, event: unknown): Promise<unknown> =>
    stack.invoke(id === variant.lambda.id ? nameOf(variant) : id, event);
  return Object.create(registry, {
    send: { value: send },
    stack: { value: { ...stack, invoke } },
  });
};
