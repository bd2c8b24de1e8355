import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Sandbox1763000000012 implements MigrationInterface {
  async up(_db: QueryRunner): Promise<void> {}

  async down(_db: QueryRunner): Promise<void> {}
}
