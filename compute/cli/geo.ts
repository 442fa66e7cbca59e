import { Command, InvalidArgumentError } from 'commander';
import { createGeoClient, type GeoClient } from '../../edge/geo/contract/client.ts';
import type { FailoverEntry, FailoverPlan } from '../../edge/geo/contract/failover.ts';
import type { RegionRecord } from '../../edge/geo/contract/region.ts';
import { atGateway, type GatewayOptions, openGateway } from './gateway-access.ts';

export function geoCommand(): Command {
  return new Command('geo')
    .addCommand(
      atGateway(new Command('status'), 'geo:read')
        .description('Show the active region and the number of regions and nodes.')
        .option('--json', 'as JSON')
        .action(status),
    )
    .addCommand(
      atGateway(new Command('regions'), 'geo:read')
        .description('List all regions by priority.')
        .option('--json', 'one JSON object per line')
        .action(regions),
    )
    .addCommand(failoverCommand())
    .addCommand(
      atGateway(new Command('history'), 'geo:read')
        .description('List failovers, latest first.')
        .option('--limit <n>', 'how many', limitOption, 20)
        .option('--json', 'one JSON object per line')
        .action(history),
    );
}

function failoverCommand(): Command {
  return atGateway(new Command('failover'), 'geo:admin')
    .description('Fail over from the active region to another.')
    .option('--to <region>', 'target region (default: the best candidate)')
    .option('--reason <text>', 'reason, for the history', '')
    .option('--force', 'accept a region that is not online')
    .option('--dry-run', 'show what would happen without doing it')
    .option('--json', 'as JSON')
    .action(failover);
}

type Json = { readonly json?: true };

const openGeo = (options: GatewayOptions): GeoClient => createGeoClient(openGateway(options));

async function status({ json, ...options }: GatewayOptions & Json): Promise<void> {
  const found = await openGeo(options).geoStatus();
  if (json) return console.log(JSON.stringify(found));
  const { active_region, epoch, total_regions, online_regions, total_nodes, monitor } = found;
  console.log(`active    ${active_region ?? 'none'} (epoch ${epoch})`);
  console.log(`regions   ${online_regions} of ${total_regions} online`);
  console.log(`nodes     ${total_nodes}`);
  console.log(`failover  ${found.auto_failover ? 'automatic' : 'by hand'}`);
  if (monitor === 'suspect') console.log('monitor   suspect: most regions fail at once');
}

async function regions({ json, ...options }: GatewayOptions & Json): Promise<void> {
  const found = await openGeo(options).listRegions();
  for (const region of found.regions) {
    console.log(json ? JSON.stringify(region) : describeRegion(region));
  }
}

function describeRegion(region: RegionRecord): string {
  const { region_id, priority, status_reason, active_node_count, node_count } = region;
  const role = region.active ? '*' : ' ';
  const nodes = `${active_node_count}/${node_count} nodes`;
  return `${role} ${region_id.padEnd(16)} ${String(priority).padStart(3)}  ${region.status.padEnd(11)}  ${nodes.padEnd(12)}  ${status_reason}`;
}

type FailoverOptions = GatewayOptions &
  Json & {
    readonly to?: string;
    readonly reason: string;
    readonly force?: true;
    readonly dryRun?: true;
  };

/** Leaves the region that was active when it was asked: a switch in between refuses this one. */
async function failover(options: FailoverOptions): Promise<void> {
  const { to, reason, force = false, dryRun, json } = options;
  const geo = openGeo(options);
  const { region_id: from_region, epoch: expected_epoch } = await geo.getActiveRegion();
  const asked = {
    from_region,
    expected_epoch,
    reason,
    force,
    triggered_by: 'spikegrid geo',
    ...(to !== undefined && { to_region: to }),
  };
  if (dryRun) {
    const plan = await geo.planFailover(asked);
    return json ? console.log(JSON.stringify(plan)) : showPlan(plan);
  }
  const event = await geo.executeFailover(asked);
  console.log(json ? JSON.stringify(event) : describeEvent(event));
}

function showPlan(plan: FailoverPlan): void {
  const { from_region, target, ranked_candidates, excluded, nodes_affected } = plan;
  const delta = plan.latency_delta_ms === null ? '' : `, ${plan.latency_delta_ms} ms further`;
  console.log(`${from_region} -> ${target ?? 'nobody'} (epoch ${plan.epoch}${delta})`);
  console.log(`${nodes_affected} nodes would no longer be asked`);
  for (const [
    rank,
    { region_id, priority, latency_ms, active_nodes },
  ] of ranked_candidates.entries()) {
    const facts = `priority ${priority}, ${latency_ms} ms, ${active_nodes} active nodes`;
    console.log(`  ${rank + 1}. ${region_id.padEnd(16)} ${facts}`);
  }
  for (const { region_id, why } of excluded) console.log(`  -  ${region_id.padEnd(16)} ${why}`);
}

async function history({
  json,
  limit,
  ...options
}: GatewayOptions & Json & { readonly limit: number }): Promise<void> {
  const found = await openGeo(options).failoverHistory({ query: { limit } });
  for (const event of found.history) {
    console.log(json ? JSON.stringify(event) : describeEvent(event));
  }
}

function describeEvent(event: FailoverEntry): string {
  const { timestamp, from_region, to_region, epoch, mode, success, reason } = event;
  const outcome = success ? `epoch ${epoch}` : `failed: ${event.error ?? ''}`;
  return `${timestamp}  ${from_region} -> ${to_region ?? 'nobody'}  ${mode}  ${outcome}  ${reason}`;
}

function limitOption(text: string): number {
  if (/^(?:[1-9]\d{0,2}|1000)$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`got "${text}", expected a whole number from 1 to 1000.`);
}
