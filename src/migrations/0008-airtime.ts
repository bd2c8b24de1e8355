import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Airtime1763000000008 implements MigrationInterface {
  async up(_db: QueryRunner): Promise<void> {}

  async down(_db: QueryRunner): Promise<void> {}
}
