import { expect, it } from 'vitest';
import { DATASETS_MIGRATIONS, DatasetStore } from '../../edge/datasets/store.ts';
import { PartHolders, PartStore } from '../../edge/datasets/part-store.ts';
import { REGISTRY_MIGRATIONS } from '../../edge/registry/schema.ts';
import { RegistryStore } from '../../edge/registry/store.ts';
import { TRAINING_MIGRATIONS } from '../../edge/training/schema.ts';
import { JobStore } from '../../edge/training/store.ts';
import { TrainerStore } from '../../edge/training/trainer-store.ts';
import { UploadSessionStore } from '../../edge/uploads/session-store.ts';
import { openSql } from './sqlite.ts';
import { tiny } from './harness.ts';

/** Tables as they were before rows had owners, with what was in them, brought to the present form. */
function upgraded(migrations: readonly string[], rows: string) {
  const at = migrations.findIndex((migration) => /ADD COLUMN team/.test(migration));
  return openSql([...migrations.slice(0, at), rows, ...migrations.slice(at)]);
}

const DIGEST = `sha256:${'0a'.repeat(32)}`;
const LOOSE = `sha256:${'0b'.repeat(32)}`;

it('jobs and trainers from before belong to who made them, in the default team', () => {
  const sql = upgraded(
    TRAINING_MIGRATIONS,
    `INSERT INTO jobs VALUES (1, 'job_1', 'train', NULL, 'x', 'm', '', 'anna', 't', 0, '{}',
       'running', 0, NULL, NULL, '{}');
     INSERT INTO trainers VALUES ('trn_1', '{}', 0, 0, 0, 'ben', 1, 1, 1);`,
  );
  const jobs = new JobStore(sql);

  expect(jobs.ownership('job_1')).toEqual({ owner: 'anna', team: 'default' });
  expect(jobs.find('job_1')?.job.team).toBe('default');
  expect(jobs.inProgress({ owner: 'anna', team: 'default' })).toEqual({ owner: 1, team: 1 });
  expect(jobs.inProgress({ owner: 'ben', team: 'default' })).toEqual({ owner: 0, team: 1 });
  const trainer = new TrainerStore(sql).find('trn_1');
  expect(trainer).toMatchObject({ createdBy: 'ben', team: 'default', servesAll: false });
});

it('datasets from before belong to who made them, and parts to the team with their bytes', () => {
  const sql = upgraded(
    DATASETS_MIGRATIONS,
    `INSERT INTO parts VALUES ('${DIGEST}', 70, 'k1', 1), ('${LOOSE}', 30, 'k2', 1);
     INSERT INTO datasets VALUES ('novel', '${DIGEST}', 70, 'text/plain', 'anna', 't');
     INSERT INTO dataset_parts VALUES ('novel', 0, '${DIGEST}');`,
  );
  const [datasets, parts, holders] = [
    new DatasetStore(sql),
    new PartStore(sql),
    new PartHolders(sql),
  ];

  expect(datasets.get('novel')).toMatchObject({ owner: 'anna', team: 'default' });
  expect(parts.get(LOOSE, 'default')?.sizeBytes).toBe(30);
  expect(parts.get(LOOSE, 'vision')).toBeUndefined();
  expect(holders.used({ owner: 'anna', team: 'default' })).toEqual({ owner: 70, team: 100 });

  // The parts of another job's result are charged to its owner; the team's sum stays.
  holders.give([DIGEST], { owner: 'ben', team: 'default' });
  expect(holders.used({ owner: 'ben', team: 'default' })).toEqual({ owner: 70, team: 100 });
  holders.release('novel', 'default');
  expect(parts.get(DIGEST, 'default')).toBeUndefined();
  holders.forget([LOOSE]);
  expect(holders.used({ owner: 'anna', team: 'default' })).toEqual({ owner: 0, team: 0 });
});

it('models from before are nobody’s of the default team, uploads whoever’s may add to them', () => {
  const registration = JSON.stringify(tiny);
  const sql = upgraded(
    REGISTRY_MIGRATIONS,
    `INSERT INTO models VALUES (1, 'tiny', '1.0.0');
     INSERT INTO versions VALUES ('tiny', '1.0.0', '', 'tiny', 'language', 'spikegrid',
       '${registration}', 't', '', '{}', NULL, NULL);
     INSERT INTO tombstones VALUES ('gone', '1.0.0', '${registration}', NULL, NULL, 't');
     INSERT INTO upload_sessions VALUES ('u', 'tiny', '1.0.0', 'a', NULL, '', 9, 'k', 'm', 'open', 0,
       '', NULL, NULL, 0, 1, 1);`,
  );
  const models = new RegistryStore(sql);

  expect(models.ownership('tiny')).toEqual({ owner: 'system', team: 'default' });
  expect(models.version('tiny', '1.0.0')?.whose).toEqual({
    ...{ owner: 'system', team: 'default', createdBy: 'system' },
  });
  expect(models.teamOfId('gone')).toBe('default');
  expect(models.teamOfId('new')).toBeUndefined();
  expect(new UploadSessionStore(sql).get('u')).toMatchObject({ owner: null, team: 'default' });
});
