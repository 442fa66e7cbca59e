import { expect, REFUSED, test } from './dashboard.ts';
import { visit } from './visit.ts';

/** Every address that names something by an id, where there is nothing of that id: what says so, and what leads on. */
const MISSING = [
  ['/nope', 'There is no screen at /nope.', 'Go to overview'],
  ['/jobs/job_nope/x', 'There is no screen at /jobs/job_nope/x.', 'Go to overview'],
  ['/jobs/job_nope', 'There is no job "job_nope".', 'All jobs'],
  ['/jobs?compare=job_a,job_b', 'There is no job "job_a".', 'All jobs'],
  ['/jobs?trainer=trn_nope', 'No job matches', 'Clear filters'],
  ['/models/nope', 'There is no model nope.', 'All models'],
  ['/models/nope?version=2.0.0', 'There is no version 2.0.0 of a model nope.', 'All models'],
  ['/gateway?service=nope', 'There is no service named nope.', 'All services'],
  ['/plugins?plugin=Nope', 'There is no plugin named Nope in this tab.', 'All plugins'],
  ['/plugins?host=nope&plugin=Nope', 'There is no service named nope', 'All plugins'],
  ['/regions?region=nope', 'There is no region nope', 'Show all regions'],
  ['/sensors?sensor=nope', 'There is no such sensor.', 'Register a sensor'],
  ['/alerts?rule=nope', 'There is no such rule', 'All rules'],
  ['/alerts?alert=abcd', 'This alert has ended, or the link is wrong', 'Show the rules'],
  ['/memory?memory=mem_nope', 'There is no memory "mem_nope"', 'Close'],
  ['/memory?tab=causes&start=nope', 'No memory names this as a cause or an effect', 'Show'],
  ['/evaluate?model=nope', 'There is no model nope.', 'Choose files'],
  ['/lab?model=nope%401.0.0', 'There is no version 1.0.0 of a model nope.', 'Registered model'],
  ['/playground?model=nope', 'There is no model version nope', 'Run'],
  ['/playground?model=nope%401.0.0', 'There is no model nope.', 'Run'],
  ['/neurons?model=nope', 'There is no neuron model nope', 'Initial values'],
  ['/brain?node=nope', 'There is no such node', 'Close'],
  ['/telemetry?service=nope', 'No metrics from', 'Live'],
  ['/telemetry?metric=nope', 'reports no metric nope', 'Live'],
  ['/docs?op=nope', 'There is no operation nope', 'OpenAPI document'],
] as const;

test('a deep link to what is not there says what is missing, and where to go', async ({
  page,
  expected,
}) => {
  expected.push(REFUSED);
  for (const [address, says, leadsOn] of MISSING) {
    await test.step(address, async () => {
      await visit(page, address);
      const main = page.getByRole('main');
      await expect(main.getByText(says).first()).toBeVisible();
      const link = main.getByRole('link', { name: leadsOn });
      const way = link.or(main.getByRole('button', { name: leadsOn })).or(main.getByText(leadsOn));
      await expect(way.first()).toBeVisible();
    });
  }
});

test('it says so in Japanese, too', async ({ page, expected }) => {
  expected.push(REFUSED);
  await page.goto('/regions?region=nope');
  await page.getByRole('radio', { name: '日本語' }).check({ force: true });

  await expect(page.getByText('リージョン nope はありません')).toBeVisible();
  await page.getByRole('button', { name: 'すべてのリージョンを表示' }).click();
  await expect(page.getByText('リージョン nope はありません')).toBeHidden();
});

test('a program that asks for what is not there gets a problem that names the path', async ({
  request,
}) => {
  const paths = ['/nope', '/nope/x', '/api/geo/nope', '/v1/nope', '/registry/nope', '/jobs/a/b'];
  for (const path of paths) {
    const answer = await request.get(path);
    expect(answer.status(), path).toBe(404);
    expect(answer.headers()['content-type']).toContain('application/problem+json');
    const { detail, instance } = await answer.json();
    expect(detail).toContain(path);
    expect(instance).toBe(path);
  }
});
