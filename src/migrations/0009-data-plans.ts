import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DataPlans1763000000009 implements MigrationInterface {
  async up(_db: QueryRunner): Promise<void> {}

  async down(_db: QueryRunner): Promise<void> {}
}
