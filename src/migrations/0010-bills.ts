import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Bills1763000000010 implements MigrationInterface {
  async up(_db: QueryRunner): Promise<void> {}

  async down(_db: QueryRunner): Promise<void> {}
}
