import { Argument } from 'commander';

/** An argument that names a package, or several: what it could be, only the registry knows. */
export class PackageArgument extends Argument {}
