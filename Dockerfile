# One image for all parts of the platform; compose.yaml says which of them a container runs.
FROM node:24-bookworm-slim
WORKDIR /app
COPY . .
# Installs what the lockfile names and builds the WASM kernels, as the first command of a checkout does.
RUN npm start -- --help
# Builds the dashboard and the Worker: at run time nothing in /app is written.
RUN npm run -s build -- --worker
# Volumes take the owner of what they are put over: what runs is not root.
RUN mkdir -p /state /data /keys/trainer /keys/inference /keys/plugin-host /keys/node /keys/greeting /run/spikegrid \
  && chown -R node:node /state /data /keys /run/spikegrid
USER node
ENV HOME=/tmp
EXPOSE 8000-8005
CMD ["node", "tools/run.mjs", "start", "--state", "/state", "--no-open"]
