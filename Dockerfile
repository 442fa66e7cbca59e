# One image for the platform and for services beside it; compose.yaml says which of them runs.
FROM node:24-bookworm-slim
WORKDIR /app
COPY . .
# Installs what the lockfile names and builds the WASM kernels, as the first command of a checkout does.
RUN npm start -- --help
EXPOSE 8000-8005
CMD ["npm", "start", "--", "--host", "0.0.0.0", "--state", "/state", "--no-open"]
