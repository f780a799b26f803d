/** Resolves CloudFormation's intrinsic functions to their local values. */
import { isObject } from '../json.ts';
import { type Resource, type Template, TemplateError } from './assembly.ts';
import { accountId, partition, region, stackArn } from './names.ts';
import { findNameProperty, resolveAttribute, resolveRef } from './references.ts';

/** Returns a template value with all intrinsic functions replaced by their values. */
export type Resolve = (value: unknown) => unknown;

/** Placeholder for `AWS::NoValue`. A property or list element with this value is dropped. */
const noValue = Symbol('AWS::NoValue');

type Evaluate = (argument: unknown, resolve: Resolve) => unknown;

const readStrings = (value: unknown): string[] => {
  if (!Array.isArray(value)) {
    throw new TemplateError('expected a list');
  }
  return value.map(readText);
};

const readText = (value: unknown): string => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return String(value);
  }
  throw new TemplateError('expected text');
};

const readPair = (argument: unknown): readonly [unknown, unknown] => {
  if (!Array.isArray(argument) || argument.length !== 2) {
    throw new TemplateError('expected two arguments');
  }
  return [argument[0], argument[1]];
};

const join: Evaluate = (argument, resolve) => {
  const [delimiter, list] = readPair(argument);
  return readStrings(resolve(list)).join(readText(delimiter));
};

const select: Evaluate = (argument, resolve) => {
  const [index, list] = readPair(argument);
  const chosen = readStrings(resolve(list))[Number(resolve(index))];
  if (chosen === undefined) {
    throw new TemplateError('Fn::Select chooses beyond the end of its list');
  }
  return chosen;
};

const split: Evaluate = (argument, resolve) => {
  const [delimiter, source] = readPair(argument);
  return readText(resolve(source)).split(readText(delimiter));
};

/** Replaces `${Name}`, `${Name.Attribute}` and `${AWS::Pseudo}`. The escape `${!Name}` yields the text `${Name}`. */
const sub: Evaluate = (argument, resolve) => {
  const [source, variables] = Array.isArray(argument) ? readPair(argument) : [argument, {}];
  return readText(source).replace(/\$\{(!?)([^}]+)\}/g, (whole, escaped: string, name: string) => {
    if (escaped) {
      return whole.replace('!', '');
    }
    if (isObject(variables) && name in variables) {
      return readText(resolve(variables[name]));
    }
    const [id = '', ...attribute] = name.split('.');
    const reference =
      attribute.length > 0 ? { 'Fn::GetAtt': [id, attribute.join('.')] } : { Ref: id };
    return readText(resolve(reference));
  });
};

/** Returns a resource's name in the template, or else its logical id. */
const findName = (resource: Resource, resolve: Resolve): string => {
  const property = findNameProperty(resource.type);
  const given = property === undefined ? undefined : resource.properties[property];
  return given === undefined ? resource.id : readText(resolve(given));
};

/** Returns `Ref` and `Fn::GetAtt` for the resources, parameters and pseudo parameters of one template. */
const createReferences = (template: Template): Record<string, Evaluate> => {
  const resources = new Map(template.resources.map((resource) => [resource.id, resource]));
  const pseudo: Record<string, unknown> = {
    'AWS::AccountId': accountId,
    'AWS::NoValue': noValue,
    'AWS::Partition': partition,
    'AWS::Region': region,
    'AWS::StackId': stackArn(template.stackName),
    'AWS::StackName': template.stackName,
    'AWS::URLSuffix': 'amazonaws.com',
    ...template.parameters,
  };
  const ref: Evaluate = (argument, resolve) => {
    const id = readText(argument);
    const resource = resources.get(id);
    const value = resource ? resolveRef(resource, findName(resource, resolve)) : pseudo[id];
    if (value === undefined) {
      throw new TemplateError(`Ref to ${id} (${resource?.type ?? 'not in the template'})`);
    }
    return value;
  };
  const getAtt: Evaluate = (argument, resolve) => {
    const [id = '', ...rest] = Array.isArray(argument)
      ? readStrings(argument)
      : readText(argument).split('.');
    const attribute = rest.join('.');
    const resource = resources.get(id);
    const value = resource && resolveAttribute(resource, findName(resource, resolve), attribute);
    if (value === undefined) {
      throw new TemplateError(
        `Fn::GetAtt ${id}.${attribute} (${resource?.type ?? 'not in the template'})`,
      );
    }
    return value;
  };
  return { Ref: ref, 'Fn::GetAtt': getAtt };
};

const dropNoValues = (entries: [string, unknown][]): Record<string, unknown> =>
  Object.fromEntries(entries.filter(([, value]) => value !== noValue));

/**
 * Returns a resolver for the values of one template.
 * The resolver throws a {@link TemplateError} for a value without a local equivalent.
 */
export const createResolver = (template: Template): Resolve => {
  const functions: Record<string, Evaluate> = {
    ...createReferences(template),
    'Fn::Join': join,
    'Fn::Select': select,
    'Fn::Split': split,
    'Fn::Sub': sub,
  };
  const resolve: Resolve = (value) => {
    if (Array.isArray(value)) {
      return value.map(resolve).filter((item) => item !== noValue);
    }
    if (!isObject(value)) {
      return value;
    }
    const entries = Object.entries(value);
    const [[key, argument] = ['', undefined]] = entries;
    if (entries.length === 1 && (key === 'Ref' || key.startsWith('Fn::'))) {
      const evaluate = functions[key];
      if (evaluate === undefined) {
        throw new TemplateError(`intrinsic function ${key}`);
      }
      return evaluate(argument, resolve);
    }
    return dropNoValues(entries.map(([name, item]) => [name, resolve(item)]));
  };
  return resolve;
};
