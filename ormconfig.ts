import { DataSource } from 'typeorm';
import { loadEnv } from './src/core/config/env';
import { dataSourceOptions } from './src/core/database/options';
import { allMigrations } from './src/migrations/migrations';

/** For the TypeORM command line and the migration commands: connects as the login itself, which owns the tables. */
export default new DataSource({ ...dataSourceOptions(loadEnv(), 'owner'), migrations: allMigrations() });
